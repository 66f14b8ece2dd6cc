import { existsSync } from 'node:fs';

/** A store's program is not on this machine. The message names the one command that installs it. */
export class StoreMissing extends Error {
  readonly code = 'TESTING.STORE_MISSING';

  constructor(program: string, debianPackage: string, variable: string) {
    super(`${program} was not found. ${installAdvice(debianPackage)} ${variable} can name another place.`);
    this.name = 'StoreMissing';
  }
}

/** A store did not start, or cannot do what was asked. The message ends with the last lines it wrote. */
export class StoreFailed extends Error {
  readonly code = 'TESTING.STORE_FAILED';

  constructor(message: string, lastLines = '', options: ErrorOptions = {}) {
    super(lastLines === '' ? message : `${message} Its last lines:\n${lastLines}`, options);
    this.name = 'StoreFailed';
  }
}

function installAdvice(debianPackage: string): string {
  return existsSync('/usr/bin/apt-get')
    ? `Install it with: sudo apt-get install --no-install-recommends ${debianPackage}`
    : `Install ${debianPackage} with the package manager of your system.`;
}
