import { InvalidFixture, parseFixture } from './world/fixture';
import type { Fixture } from './world/fixture';

/** Parses and validates the text of a fixture file. @throws {InvalidFixture} which names the place */
export function parseJsonFixture(source: string): Fixture {
  return parseFixture(parseJson(source));
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new InvalidFixture(
      `not JSON: ${withPlace(error instanceof Error ? error.message : String(error), source)}`,
    );
  }
}

/** Older engines tell only the position; people look for line and column. */
function withPlace(message: string, source: string): string {
  const position = /at position (\d+)(?! \(line)/.exec(message)?.[1];
  if (position === undefined) return message;
  const before = source.slice(0, Number(position)).split('\n');
  return `${message} (line ${before.length} column ${(before.at(-1) ?? '').length + 1})`;
}
