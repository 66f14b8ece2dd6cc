/** Values of the `{name}` parts of a template, decoded. */
export type PathParameters = Readonly<Record<string, string>>;

interface Entry<H> {
  readonly method: string;
  readonly parts: readonly string[];
  readonly handler: H;
}

/**
 * Finds a handler by method and path. A template's `{name}` takes one segment, a last `{name...}` takes the rest;
 * the first fitting template wins. Segments are decoded once; one that cannot be decoded fits nothing.
 */
export class Router<H> {
  private readonly entries: Entry<H>[] = [];

  on(method: string, template: string, handler: H): this {
    this.entries.push({ method, parts: template.split('/'), handler });
    return this;
  }

  match(method: string, path: string): { handler: H; parameters: PathParameters } | undefined {
    const segments = path.split('/');
    for (const entry of this.entries) {
      if (entry.method !== method) continue;
      const parameters = fit(entry.parts, segments);
      if (parameters) return { handler: entry.handler, parameters };
    }
    return undefined;
  }

  /** Whether any method is served at this path. */
  knows(path: string): boolean {
    const segments = path.split('/');
    return this.entries.some((entry) => fit(entry.parts, segments));
  }
}

function fit(parts: readonly string[], segments: readonly string[]): PathParameters | undefined {
  const parameters: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    if (part.endsWith('...}')) {
      parameters[part.slice(1, -4)] = segments.slice(at).join('/');
      return parameters;
    }
    const segment = segments[at];
    if (segment === undefined) return undefined;
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decodeSegment(segment);
    if (!value) return undefined;
    parameters[part.slice(1, -1)] = value;
  }
  return parts.length === segments.length ? parameters : undefined;
}

/** Undefined for malformed percent-encoding. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    // URIError: the caller treats it like any other path that nothing answers.
    return undefined;
  }
}
