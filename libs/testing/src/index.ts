export { startTestBed } from './bed/start-test-bed';
export type { GivenStores, TestBed } from './bed/start-test-bed';
export { signAttestation, signServiceToken } from './builders/tokens';
export { eventually } from './eventually';
export type { EventuallyOptions } from './eventually';
export { pickFreePort } from './stores/free-port';
export { startNats } from './stores/start-nats';
export type { NatsListen, NatsOptions, RunningNats } from './stores/start-nats';
export { startPostgres } from './stores/start-postgres';
export type { PostgresOptions, RunningPostgres } from './stores/start-postgres';
export { startRedis } from './stores/start-redis';
export type { RedisOptions } from './stores/start-redis';
export type { RunningStore } from './stores/local-store';
export { StoreFailed, StoreMissing } from './stores/store-errors';
export { createTestDatabase } from './jest/test-database';
export type { TestDatabase } from './jest/test-database';
export { createTestRedis } from './jest/test-redis';
export { lastUserText, messageText, offeredTools } from './model/chat-request';
export type { ChatMessage, ChatRequest } from './model/chat-request';
export { countTokens } from './model/count-tokens';
export { DEMO_MODEL_ID, startDemoModel } from './model/demo-model';
export { babbles, calls, fails, says } from './model/model-answer';
export type {
  AnsweredToolCall,
  BreakOff,
  Completion,
  ModelAnswer,
  RawAnswer,
  Usage,
} from './model/model-answer';
export type { ModelServer, ReceivedRequest } from './model/model-server';
export { startScriptedModel } from './model/scripted-model';
export type { ExpectedRequest, Script, ScriptedModel } from './model/scripted-model';
