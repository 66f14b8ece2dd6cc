import type { z } from 'zod';

/** The parameters named in a subject pattern: `tools.exec.{provider}` has `provider`. */
export type SubjectParams<Subject extends string> = Subject extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [key in Name]: string } & SubjectParams<Rest>
  : unknown;

interface MessageBase<Kind extends string, Subject extends string> {
  readonly kind: Kind;
  /** Stable name with its version; a changed shape is a new name. */
  readonly name: string;
  readonly subject: Subject;
}

/** One question, one answer. */
export interface RequestContract<
  Subject extends string = string,
  Request extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> extends MessageBase<'request', Subject> {
  readonly request: Request;
  readonly reply: Reply;
  /** How long a caller waits when it names no deadline of its own, in milliseconds. */
  readonly timeoutMs: number;
}

/** One question to everybody who listens, any number of answers, each from its own service. */
export interface BroadcastContract<
  Subject extends string = string,
  Request extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> extends MessageBase<'broadcast', Subject> {
  readonly request: Request;
  readonly reply: Reply;
  readonly timeoutMs: number;
}

/** A fact told to whoever listens at this moment; it may be missed. */
export interface EventContract<
  Subject extends string = string,
  Body extends z.ZodType = z.ZodType,
> extends MessageBase<'event', Subject> {
  readonly body: Body;
}

/** A fact kept in a durable stream until its consumers have acknowledged it. */
export interface StreamContract<
  Subject extends string = string,
  Body extends z.ZodType = z.ZodType,
> extends MessageBase<'stream', Subject> {
  readonly stream: string;
  readonly body: Body;
}

export type MessageContract = RequestContract | BroadcastContract | EventContract | StreamContract;

type Definition<Contract> = Omit<Contract, 'kind'>;

export const defineRequest = <const S extends string, Q extends z.ZodType, A extends z.ZodType>(
  definition: Definition<RequestContract<S, Q, A>>,
): RequestContract<S, Q, A> => ({ kind: 'request', ...definition });

export const defineBroadcast = <const S extends string, Q extends z.ZodType, A extends z.ZodType>(
  definition: Definition<BroadcastContract<S, Q, A>>,
): BroadcastContract<S, Q, A> => ({ kind: 'broadcast', ...definition });

export const defineEvent = <const S extends string, B extends z.ZodType>(
  definition: Definition<EventContract<S, B>>,
): EventContract<S, B> => ({ kind: 'event', ...definition });

export const defineStream = <const S extends string, B extends z.ZodType>(
  definition: Definition<StreamContract<S, B>>,
): StreamContract<S, B> => ({ kind: 'stream', ...definition });
