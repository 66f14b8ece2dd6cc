import { SaxesParser } from 'saxes';
import type { SaxesTagNS } from 'saxes';
import { clark } from './dav-names';
import type { ClarkName } from './dav-names';
import type { DavResponse, DavValue } from './dav-response';

/** Levels of nesting; a multistatus with the deepest property we know has seven. */
const MAX_DEPTH = 32;
/** Characters of one value, and of one tag with its attributes. */
const MAX_TEXT = 16 * 1024;
const MAX_UNFINISHED = 256 * 1024;
/** Characters of everything kept of one resource. */
const MAX_RESOURCE = 256 * 1024;

const MULTISTATUS = clark('d:multistatus');
const RESPONSE = clark('d:response');
const PROPSTAT = clark('d:propstat');
const PROP = clark('d:prop');
const HREF = clark('d:href');
const STATUS = clark('d:status');

interface OpenResponse {
  href: string;
  status: number | null;
  properties: Map<ClarkName, DavValue>;
  size: number;
}

interface OpenPropstat {
  status: number | null;
  properties: Map<ClarkName, DavValue>;
}

/**
 * Reads a multistatus as it arrives and keeps nothing but the resource it is in. Refuses a
 * document type (and with it every entity), and whatever is deeper or longer than an honest
 * server sends. Throws plain errors: the caller words them.
 */
export class MultistatusParser {
  private readonly parser = new SaxesParser({ xmlns: true, position: false });
  private readonly stack: ClarkName[] = [];
  private finished: DavResponse[] = [];
  private text = '';
  private unfinished = 0;
  private response: OpenResponse | undefined;
  private propstat: OpenPropstat | undefined;
  private elements: { name: ClarkName; text: string }[] = [];

  constructor() {
    this.parser.on('doctype', () => refuse('a document type is not accepted'));
    this.parser.on('opentag', (tag) => this.open(tag));
    this.parser.on('text', (text) => this.append(text));
    this.parser.on('cdata', (text) => this.append(text));
    this.parser.on('closetag', (tag) => this.close(tag));
  }

  /** @returns the resources that are complete now */
  write(text: string): DavResponse[] {
    this.unfinished += text.length;
    this.parser.write(text);
    if (this.unfinished > MAX_UNFINISHED) refuse('a tag or text has no end');
    return this.take();
  }

  /** @throws where the document is not complete */
  end(): DavResponse[] {
    this.parser.close();
    return this.take();
  }

  private take(): DavResponse[] {
    const { finished } = this;
    this.finished = [];
    return finished;
  }

  private open(tag: SaxesTagNS): void {
    this.unfinished = 0;
    this.text = '';
    this.stack.push(nameOf(tag));
    if (this.stack.length > MAX_DEPTH) refuse('it is nested too deeply');
    if (this.stack.length === 1 && this.stack[0] !== MULTISTATUS) refuse('it is no multistatus');
    if (this.isAt(RESPONSE)) this.response = { href: '', status: null, properties: new Map(), size: 0 };
    if (this.isAt(RESPONSE, PROPSTAT)) this.propstat = { status: null, properties: new Map() };
    if (this.isInProp(5)) this.elements = [];
  }

  private append(text: string): void {
    this.unfinished = 0;
    // Only the values of resources are kept; what stands between them is white space.
    if (!this.response) return;
    this.text += text;
    if (this.text.length > MAX_TEXT) refuse('a value is too long');
  }

  private close(tag: SaxesTagNS): void {
    this.unfinished = 0;
    const { response, propstat } = this;
    if (response && propstat) this.closeInPropstat(nameOf(tag), response, propstat);
    else if (response) this.closeInResponse(response);
    this.stack.pop();
    this.text = '';
  }

  private closeInResponse(response: OpenResponse): void {
    if (this.isAt(RESPONSE, HREF)) response.href = this.text.trim();
    if (this.isAt(RESPONSE, STATUS)) response.status = statusOf(this.text);
    if (this.isAt(RESPONSE)) {
      const { href, status, properties } = response;
      this.finished.push({ href, status, properties });
      this.response = undefined;
    }
  }

  private closeInPropstat(name: ClarkName, response: OpenResponse, propstat: OpenPropstat): void {
    if (this.isInProp(6)) this.elements.push({ name, text: this.text });
    if (this.isInProp(5)) propstat.properties.set(name, { text: this.text, elements: this.elements });
    if (this.isInProp(5) || this.isInProp(6)) this.count(response, this.text.length + name.length);
    if (this.isAt(RESPONSE, PROPSTAT, STATUS)) propstat.status = statusOf(this.text);
    if (this.isAt(RESPONSE, PROPSTAT)) {
      const found = propstat.status !== null && propstat.status >= 200 && propstat.status < 300;
      if (found) for (const [key, value] of propstat.properties) response.properties.set(key, value);
      this.propstat = undefined;
    }
  }

  private count(response: OpenResponse, characters: number): void {
    response.size += characters;
    if (response.size > MAX_RESOURCE) refuse('a resource has too many properties');
  }

  /** Whether the innermost open element is this path below the multistatus. */
  private isAt(...path: ClarkName[]): boolean {
    return (
      this.stack.length === path.length + 1 && path.every((name, index) => this.stack[index + 1] === name)
    );
  }

  private isInProp(depth: number): boolean {
    const [, response, propstat, prop] = this.stack;
    return this.stack.length === depth && response === RESPONSE && propstat === PROPSTAT && prop === PROP;
  }
}

const nameOf = (tag: SaxesTagNS): ClarkName => `{${tag.uri}}${tag.local}`;

/** `HTTP/1.1 200 OK` */
const statusOf = (line: string): number | null => {
  const [, digits] = /^HTTP\/\S+ (\d{3})\b/.exec(line.trim()) ?? [];
  return digits === undefined ? null : Number(digits);
};

const refuse = (reason: string): never => {
  throw new Error(reason);
};
