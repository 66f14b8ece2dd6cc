import { readFileSync } from 'node:fs';
import path from 'node:path';
import { placeOfJsonMistake } from './json-mistake';
import { InvalidFixture, parseFixture } from './world/fixture';
import type { Fixture } from './world/fixture';

/** The world of the demo, and of the command line when no other is named. */
export const DEMO_TEAM_FILE = path.join(__dirname, '..', 'fixtures', 'demo-team.json');

/** The demo's world, to be used as it is or with other bots and secrets. */
export function readDemoTeam(): Fixture {
  return parseJsonFixture(readFileSync(DEMO_TEAM_FILE, 'utf8'));
}

/** Parses and validates the text of a fixture file. @throws {InvalidFixture} which names the place */
export function parseJsonFixture(source: string): Fixture {
  return parseFixture(parseJson(source));
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column } = placeOfJsonMistake(source);
    throw new InvalidFixture(`line ${line}, column ${column}: this is not JSON`);
  }
}
