import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

const read = (file: string) =>
  JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as { references: { path: string }[] };

it('the build knows every project', () => {
  const projects = ['apps', 'libs', 'services'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .map((project) => `./${folder}/${project}/tsconfig.build.json`)
      .filter((file) => existsSync(path.join(ROOT, file))),
  );
  expect(
    read('tsconfig.build.json')
      .references.map((reference) => reference.path)
      .sort(),
  ).toEqual(projects);
});
