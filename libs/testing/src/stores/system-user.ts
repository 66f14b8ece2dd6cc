import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

import { StoreFailed } from './store-errors';

/** An account of the operating system. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root. Root runs it as one of these; anybody else as themselves (undefined). */
export function unprivilegedUser(names = ['postgres', 'nobody']): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = names.map(lookUp).find((found) => found !== undefined);
  if (user) return user;
  throw new StoreFailed(
    `PostgreSQL does not run as root, and this machine knows none of the users ${names.join(', ')}. Run this as an ordinary user.`,
  );
}

/** Whether that user can enter the folder, or execute the file. */
export function canReach(target: string, user: SystemUser | undefined): boolean {
  return can('-x', target, user);
}

export function canWrite(folder: string, user: SystemUser | undefined): boolean {
  return can('-w', folder, user);
}

function lookUp(name: string): SystemUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((option) => {
    const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : undefined;
  });
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/** Asks the operating system as that user: modes of parent folders, access lists and mounts all count. */
function can(question: '-x' | '-w', target: string, user: SystemUser | undefined): boolean {
  if (user) {
    const script = 'test "$1" "$2"';
    return spawnSync('/bin/sh', ['-c', script, 'sh', question, target], { ...user, cwd: '/' }).status === 0;
  }
  try {
    accessSync(target, question === '-x' ? constants.X_OK : constants.W_OK);
    return true;
  } catch {
    return false; // "no" is an answer here, whatever its reason
  }
}
