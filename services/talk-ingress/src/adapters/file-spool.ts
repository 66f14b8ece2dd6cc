import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SpooledEvent } from '@nuqloud/contracts';
import { AppError, describeError, errorCode } from '@nuqloud/platform';
import type { Logger, RowSecrets } from '@nuqloud/platform';
import { Spool, SPOOL_ERRORS, SpoolError } from '../ports/spool';
import type { Spooled } from '../ports/spool';
import { PART, writeDurably } from './write-durably';

/** As much as the chat stream itself may hold. */
const MAX_BYTES = 512 * 1024 * 1024;
const EVENT = '.event';
const SET_ASIDE = 'set-aside';
const NO_SPACE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

interface Waiting {
  readonly bytes: number;
  written: boolean;
}

/**
 * One file per event, named by the order in which they came, sealed under its own name: it holds what people wrote, and
 * a changed, moved or forged file does not open. A file is whole or not there: it is written apart, flushed and renamed.
 */
export class FileSpool extends Spool {
  /** In the order of the names. */
  private readonly waiting = new Map<string, Waiting>();
  private bytes = 0;
  private lastStamp = 0;
  private failing = false;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly folder: string,
    private readonly secrets: Pick<RowSecrets, 'seal' | 'open'>,
    private readonly logger: Logger,
    private readonly maxBytes: number,
  ) {
    super();
  }

  /** Takes over what a former process left. @throws SpoolError UNUSABLE */
  static async open(
    folder: string,
    secrets: Pick<RowSecrets, 'seal' | 'open'>,
    logger: Logger,
    maxBytes = MAX_BYTES,
  ): Promise<FileSpool> {
    const spool = new FileSpool(folder, secrets, logger, maxBytes);
    try {
      await mkdir(path.join(folder, SET_ASIDE), { recursive: true, mode: 0o700 });
      await spool.probe();
      await spool.takeOver();
    } catch (cause) {
      throw unusable(cause);
    }
    return spool;
  }

  get size(): number {
    return this.waiting.size;
  }

  get hasRoom(): boolean {
    return !this.failing && this.bytes < this.maxBytes;
  }

  async keep(entry: SpooledEvent): Promise<void> {
    const name = this.nextName();
    const content = this.secrets.seal(name, JSON.stringify(entry));
    const bytes = Buffer.byteLength(content);
    if (this.bytes + bytes > this.maxBytes) {
      throw new SpoolError(SPOOL_ERRORS.FULL, 'The spool in SPOOL_DIR has reached its limit.', {
        retryable: true,
      });
    }
    const place: Waiting = { bytes, written: false };
    this.waiting.set(name, place);
    this.bytes += bytes;
    // One after another: a later event never stands there before an earlier one does.
    const written = this.writing.then(() => writeDurably(this.fileOf(name), content));
    this.writing = written.catch(() => undefined);
    try {
      await written;
      place.written = true;
      this.failing = false;
    } catch (cause) {
      this.forget(name);
      this.failing = true;
      throw NO_SPACE.has(errorCode(cause))
        ? new SpoolError(SPOOL_ERRORS.FULL, 'The disk of SPOOL_DIR is full.', { retryable: true, cause })
        : unusable(cause);
    }
  }

  async oldest(): Promise<Spooled | undefined> {
    for (const [name, { written }] of this.waiting) {
      if (!written) return undefined;
      const entry = await this.read(name);
      if (entry) return { ...entry, name };
    }
    return undefined;
  }

  async remove(name: string): Promise<void> {
    await rm(this.fileOf(name), { force: true });
    this.forget(name);
    this.failing = false;
  }

  async setAside(name: string, reason: AppError): Promise<void> {
    this.forget(name);
    const apart = path.join(this.folder, SET_ASIDE, name);
    try {
      await rename(this.fileOf(name), apart);
      await writeFile(`${apart}.reason`, `${reason.code}: ${reason.message}\n`, { mode: 0o600 });
      this.logger.error({ event: 'spool.set-aside', file: name, ...describeError(reason) });
    } catch (error) {
      // It stays where it is until the next start looks at it again.
      this.logger.error({ event: 'spool.not-set-aside', file: name, ...describeError(error) });
    }
  }

  /** @returns undefined for one that is gone or was set aside */
  private async read(name: string): Promise<SpooledEvent | undefined> {
    try {
      const sealed = await readFile(this.fileOf(name), 'utf8');
      const parsed = SpooledEvent.safeParse(JSON.parse(this.secrets.open(name, sealed)));
      if (parsed.success) return parsed.data;
      await this.setAside(name, unreadable('it holds no event that this version knows'));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') this.forget(name);
      else await this.setAside(name, error instanceof AppError ? error : unreadable(errorCode(error), error));
    }
    return undefined;
  }

  private async probe(): Promise<void> {
    const file = path.join(this.folder, `${randomBytes(8).toString('hex')}.probe`);
    await writeFile(file, '', { mode: 0o600 });
    await rm(file);
  }

  private async takeOver(): Promise<void> {
    for (const file of (await readdir(this.folder)).sort()) {
      const name = file.endsWith(EVENT + PART) ? file.slice(0, -PART.length) : file;
      if (!name.endsWith(EVENT)) continue;
      // Whether it was written to its end shows when it is opened.
      if (name !== file) await rename(path.join(this.folder, file), this.fileOf(name));
      const { size } = await stat(this.fileOf(name));
      this.waiting.set(name, { bytes: size, written: true });
      this.bytes += size;
      this.lastStamp = Math.max(this.lastStamp, Number.parseInt(name, 10) || 0);
    }
  }

  /** Sorts after all before, also where the clock was set back. */
  private nextName(): string {
    this.lastStamp = Math.max(Date.now(), this.lastStamp + 1);
    return `${String(this.lastStamp).padStart(15, '0')}-${randomBytes(4).toString('hex')}${EVENT}`;
  }

  private forget(name: string): void {
    this.bytes -= this.waiting.get(name)?.bytes ?? 0;
    this.waiting.delete(name);
  }

  private fileOf(name: string): string {
    return path.join(this.folder, name);
  }
}

const unusable = (cause: unknown): SpoolError =>
  new SpoolError(
    SPOOL_ERRORS.UNUSABLE,
    `The spool cannot be kept in SPOOL_DIR (${errorCode(cause)}): it must name a folder that this process may write to, on a disk that stays.`,
    { cause },
  );

const unreadable = (reason: string, cause?: unknown): SpoolError =>
  new SpoolError(SPOOL_ERRORS.UNREADABLE, `A spooled event cannot be read: ${reason}.`, { cause });
