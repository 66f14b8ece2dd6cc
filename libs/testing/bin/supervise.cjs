'use strict';
/**
 * Runs one store for another process and ends it together with that process.
 *
 * A process that is killed by SIGKILL cannot clean up, but its end of the IPC channel closes; that is what this
 * script waits for. Plain JavaScript, because it is started as it stands both from the sources and from a build.
 *
 * argv[2]: JSON { command, args, env, uid?, gid?, stopSignal, temporaryFolders }.
 * Messages: { signal } is passed on to the store, { stop: true } ends it for good.
 * It ends with the exit code of the store, or with 1 when a signal ended the store.
 */
const { spawn } = require('node:child_process');
const { rmSync } = require('node:fs');

const GRACE_MS = 10_000;
const { command, args, env, uid, gid, stopSignal, temporaryFolders } = JSON.parse(process.argv[2]);
let stopping = false;

// The working folder may be closed to the user of the store, so the store gets one that is not.
const store = spawn(command, args, { env, uid, gid, cwd: '/', stdio: 'inherit' });

function stop() {
  if (stopping) return;
  stopping = true;
  store.kill(stopSignal);
  setTimeout(() => store.kill('SIGKILL'), GRACE_MS);
}

function finish(code) {
  // After a crash on purpose the folders are still needed.
  if (stopping)
    temporaryFolders.forEach((folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  process.exit(code);
}

store.once('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  finish(1);
});
store.once('exit', (code) => finish(code ?? 1));

process.on('message', (message) => (message.stop ? stop() : store.kill(message.signal)));
process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
