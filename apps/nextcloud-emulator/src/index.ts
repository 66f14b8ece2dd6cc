export { startEmulator } from './start-emulator';
export type { Emulator, EmulatorOptions } from './start-emulator';
export { readDemoTeam } from './read-fixture';
export { InvalidFixture, parseFixture } from './world/fixture';
export type { Fixture, FixtureInput } from './world/fixture';
