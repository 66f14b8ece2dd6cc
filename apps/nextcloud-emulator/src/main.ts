import { BadUsage, readOptions } from './read-options';
import { startEmulator } from './start-emulator';

async function main(): Promise<void> {
  const emulator = await startEmulator(readOptions(process.argv.slice(2)));
  process.stdout.write(
    `Nextcloud emulator: ${emulator.url}/ (chat page), control API below ${emulator.url}/_emulator/\n`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
}

main().catch((error: unknown) => {
  const expected = error instanceof BadUsage || (error instanceof Error && 'syscall' in error);
  process.stderr.write(
    `emulator: ${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exitCode = 1;
});
