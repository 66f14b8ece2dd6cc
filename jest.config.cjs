const { readdirSync } = require('node:fs');
const path = require('node:path');

/** Tests read the sources of every workspace project, so that none of them needs a build first. */
const sources = Object.fromEntries(
  ['libs', 'services', 'apps'].flatMap((folder) =>
    readdirSync(path.join(__dirname, folder)).map((project) => [
      `^@nuqloud/${project}$`,
      `<rootDir>/${folder}/${project}/src/index.ts`,
    ]),
  ),
);

/** Packages that ship only ES modules; jest loads CommonJS, so they are transformed like our own code. */
const esModules = ['jose'];

const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/apps', '<rootDir>/tests'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.data/'],
  moduleNameMapper: { ...sources, '^(\\.{1,2}/.*)\\.js$': '$1' },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join('|')})/)`],
  transform: {
    '^.+\\.[mc]?[tj]s$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
};

const project = (displayName, suffix, more = {}) => ({
  ...common,
  displayName,
  testRegex: `\\.${suffix}\\.ts$`,
  ...more,
});

/** One PostgreSQL and one Redis for all files of a run; `createTestDatabase` and `createTestRedis` give each its part. */
const stores = {
  globalSetup: '<rootDir>/libs/testing/src/jest/start-stores.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest/stop-stores.ts',
};

module.exports = {
  // Generous, because nothing here is about speed: a test that waits says for what and how long.
  testTimeout: 60_000,
  projects: [
    project('unit', 'spec'),
    project('integration', 'int-spec', stores),
    project('end-to-end', 'e2e-spec', stores),
  ],
};
