export { startEmulator } from './start-emulator';
export type { Emulator, EmulatorOptions } from './start-emulator';
export { InvalidFixture, parseFixture } from './world/fixture';
export type { FixtureInput } from './world/fixture';
