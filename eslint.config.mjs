import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** Which kind of project may import which; `docs/adr/0002-module-boundaries.md` says why. */
const boundaries = [
  {
    sourceTag: 'type:contract',
    onlyDependOnLibsWithTags: ['type:contract'],
    allowedExternalImports: ['zod'],
  },
  { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:platform', 'type:contract'] },
  { sourceTag: 'type:service', onlyDependOnLibsWithTags: ['type:platform', 'type:contract'] },
  { sourceTag: 'kind:tool', notDependOnLibsWithTags: ['lib:database'] },
  { sourceTag: 'type:emulator', onlyDependOnLibsWithTags: ['type:contract'] },
  { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ['type:platform', 'type:contract'] },
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: ['type:app', 'type:service', 'type:platform', 'type:contract'],
  },
  {
    sourceTag: 'type:tooling',
    onlyDependOnLibsWithTags: ['type:testing', 'type:emulator', 'type:app', 'type:platform', 'type:contract'],
  },
  { sourceTag: 'type:tests', onlyDependOnLibsWithTags: ['*'] },
];

/** Specs may additionally use the test library. */
const specBoundaries = boundaries.map((rule) =>
  rule.onlyDependOnLibsWithTags
    ? {
        ...rule,
        onlyDependOnLibsWithTags: [...rule.onlyDependOnLibsWithTags, 'type:testing'],
        allowedExternalImports: undefined,
      }
    : rule,
);

const moduleBoundaries = (depConstraints) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    {
      enforceBuildableLibDependency: false,
      banTransitiveDependencies: false,
      checkNestedExternalImports: true,
      allow: [],
      depConstraints,
    },
  ],
});

const specs = ['**/*.spec.ts', '**/*.int-spec.ts', '**/*.e2e-spec.ts', '**/test/**/*.ts'];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/generated/**',
      '**/node_modules/**',
      '.data/**',
      '.nx/**',
      '**/*.cjs',
      '**/*.mjs',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    plugins: { '@nx': nx },
    languageOptions: {
      parserOptions: { project: 'tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...moduleBoundaries(boundaries),
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Configuration is parsed once: take it as an argument.',
        },
      ],
    },
  },
  {
    // Configuration is read where a process begins, nowhere else.
    files: [
      '**/src/main.ts',
      'prisma.config.ts',
      'apps/launcher/**/*.ts',
      'apps/nuqloud/src/**/*.ts',
      'libs/testing/**/*.ts',
      ...specs,
      'tests/**/*.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['apps/launcher/**/*.ts', 'apps/nuqloud/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // The domain is pure: it knows no framework, no store, no bus and no adapter.
    files: ['**/src/**/domain/**/*.ts', '**/src/domain/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                '@nestjs/*',
                'nats',
                'openai',
                'redis',
                '@redis/*',
                'pg',
                '@prisma/*',
                '@nuqloud/messaging',
                '@nuqloud/database',
                '@nuqloud/tool-sdk',
                '**/adapters/**',
              ],
              message: 'Domain code takes what it needs as arguments.',
            },
          ],
        },
      ],
    },
  },
  {
    files: specs,
    rules: {
      ...moduleBoundaries(specBoundaries),
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  prettier,
);
