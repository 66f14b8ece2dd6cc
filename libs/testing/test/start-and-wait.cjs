'use strict';
/** Starts every store from the sources, prints their ports as JSON and waits to be killed. */
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
};

const { startNats } = require('../src/stores/start-nats.ts');
const { startPostgres } = require('../src/stores/start-postgres.ts');
const { startRedis } = require('../src/stores/start-redis.ts');

const config = ({ port, storeDir }) => `listen: "127.0.0.1:${port}", jetstream { store_dir: "${storeDir}" }`;

Promise.all([startNats({ config }), startRedis(), startPostgres()]).then((stores) => {
  process.stdout.write(`${JSON.stringify(stores.map(({ port }) => port))}\n`);
  setInterval(() => undefined, 60_000);
});
