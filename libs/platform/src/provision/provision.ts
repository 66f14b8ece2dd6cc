import type { ProvisionFile } from '@nuqloud/contracts';
import type { z } from 'zod';
import { describe } from './check-shape';
import { ProvisionError } from './provision-error';
import type { Position, ProvisionPath } from './provision-error';
import { resolveReference, UnresolvedReference } from './resolve-references';
import type { ReferenceSource } from './resolve-references';

interface Origin {
  readonly file: string;
  readonly source: ReferenceSource;
  readonly locate: (path: ProvisionPath) => Position;
}

/** A provision file without mistakes. */
export class Provision {
  constructor(
    /** Its secret fields hold references, not secrets. */
    readonly file: ProvisionFile,
    private readonly origin: Origin,
  ) {}

  /**
   * Resolves the secret at `path` (`['bots', 0, 'talkSecret']`). Only the service that needs it may call this:
   * no other has its variable or file.
   * @throws ProvisionError with its line where it cannot be resolved or `schema` refuses it, never with its value
   */
  secret<Schema extends z.ZodType>(path: ProvisionPath, schema: Schema): z.output<Schema> {
    const reference = path.reduce<unknown>(
      (node, step) => (node as Record<string | number, unknown> | undefined)?.[step],
      this.file,
    );
    if (typeof reference !== 'string') throw this.problem(path, 'is missing');
    const result = schema.safeParse(this.resolve(reference, path), { error: describe });
    if (result.success) return result.data;
    throw this.problem(path, `this secret ${result.error.issues[0]?.message ?? 'is not usable'}`);
  }

  private resolve(reference: string, path: ProvisionPath): string {
    try {
      return resolveReference(reference, this.origin.source);
    } catch (error) {
      if (error instanceof UnresolvedReference) throw this.problem(path, error.message);
      throw error;
    }
  }

  private problem(path: ProvisionPath, message: string): ProvisionError {
    return new ProvisionError(this.origin.file, [{ path, message, ...this.origin.locate(path) }]);
  }
}
