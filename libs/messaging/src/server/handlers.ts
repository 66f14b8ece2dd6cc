import { applyDecorators, UseFilters } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type {
  BroadcastContract,
  EventContract,
  MessageContract,
  RequestContract,
  StreamContract,
} from '@nuqloud/contracts';
import type { z } from 'zod';
import type { MessageContext } from '../wire/message-context';
import { KeepErrors } from './keep-errors.filter';

/** What a durable stream adds to the context of a message. */
export interface StreamContext extends MessageContext {
  /** Position in the stream. */
  readonly sequence: number;
  /** 1 for the first delivery. */
  readonly delivery: number;
}

type Handler<Body, Context, Result> = (message: Body, context: Context) => Promise<Result> | Result;

/** Compiles only on a method whose parameters and result fit the contract. */
type HandlerDecorator<H> = <T extends H>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

/** Key of the contract in the extras that Nest keeps for a handler. */
export const CONTRACT = 'nuqloudContract';
export interface HandlerExtras {
  [CONTRACT]?: MessageContract;
}

/** Nest hands a handler only the payload unless its parameters are marked; ours always take both. */
const takesMessageAndContext: MethodDecorator = (target, key) => {
  Payload()(target, key, 0);
  Ctx()(target, key, 1);
};

const handles = (contract: MessageContract): MethodDecorator => {
  const answers = contract.kind === 'request' || contract.kind === 'broadcast';
  const extras: HandlerExtras = { [CONTRACT]: contract };
  return applyDecorators(
    answers ? MessagePattern(contract.name, { ...extras }) : EventPattern(contract.name, { ...extras }),
    takesMessageAndContext,
    UseFilters(KeepErrors),
  );
};

/** The method answers a request or broadcast; what it throws becomes a typed error of the caller. */
export const OnRequest = <Q extends z.ZodType, A extends z.ZodType>(
  contract: RequestContract<string, Q, A> | BroadcastContract<string, Q, A>,
): HandlerDecorator<Handler<z.output<Q>, MessageContext, z.input<A>>> => handles(contract);

/** The method hears an event; every replica hears it. */
export const OnEvent = <B extends z.ZodType>(
  contract: EventContract<string, B>,
): HandlerDecorator<Handler<z.output<B>, MessageContext, void>> => handles(contract);

/**
 * The method takes messages of a durable stream, one replica each. A message is acknowledged
 * when it returns; when it throws, the message comes again.
 */
export const OnStream = <B extends z.ZodType>(
  contract: StreamContract<string, B>,
): HandlerDecorator<Handler<z.output<B>, StreamContext, void>> => handles(contract);
