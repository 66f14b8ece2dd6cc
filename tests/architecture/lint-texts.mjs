// Lints texts as if each stood in the given file; nothing is written to disk. stdin and stdout: JSON.
import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';

/** The rules on imports. They need no types, and without types a text is linted in no time. */
const RULES = new Set(['@nx/enforce-module-boundaries', 'no-restricted-imports']);

const files = JSON.parse(await text(process.stdin));
const eslint = new ESLint({
  overrideConfig: { languageOptions: { parserOptions: { project: false } } },
  ruleFilter: ({ ruleId }) => RULES.has(ruleId),
});
const results = [];
for (const { file, source } of files) {
  const [result] = await eslint.lintText(source, { filePath: file });
  results.push(result.messages.map(({ ruleId, message }) => ({ ruleId, message })));
}
process.stdout.write(JSON.stringify(results));
