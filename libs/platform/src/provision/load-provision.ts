import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errorCode } from '../errors/app-error';
import { checkRelations } from './check-relations';
import { checkShape } from './check-shape';
import type { Mistake } from './check-shape';
import { parseYaml } from './parse-yaml';
import { Provision } from './provision';
import { ProvisionError } from './provision-error';
import type { ProvisionPath } from './provision-error';
import { resolveTree } from './resolve-references';

/**
 * Reads the administrator's YAML. Ordinary fields come with `${NAME}` and `file:PATH` resolved (PATH from the
 * file's own folder); secret fields stay as written until `Provision.secret` is asked for them.
 * @param env the raw environment, used for `${NAME}` alone; an empty variable counts as unset
 * @throws ProvisionError with every mistake and its line
 */
export const loadProvision = async (
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Provision> => {
  const yaml = parseYaml(await read(file));
  if (yaml.problems.length > 0) throw new ProvisionError(file, yaml.problems);

  const source = { env, folder: path.dirname(path.resolve(file)) };
  const { value, unresolved } = resolveTree(yaml.value, source);
  const shape = checkShape(value);
  const mistakes: Mistake[] = [
    ...unresolved,
    ...('mistakes' in shape ? shape.mistakes : []).filter((mistake) => !about(unresolved, mistake)),
    ...checkRelations(value),
  ];
  if (mistakes.length > 0 || !('file' in shape)) {
    throw new ProvisionError(
      file,
      mistakes.map(({ path: at, message, of }) => ({
        // A wrong key may be a secret that lost its place: its position says enough.
        path: of === 'key' ? at.slice(0, -1) : at,
        message,
        ...yaml.locate(at, of),
      })),
    );
  }
  return new Provision(shape.file, { file, source, locate: yaml.locate });
};

const read = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new AppError('PROVISION.UNREADABLE', `PROVISION_FILE cannot be read (${errorCode(cause)}).`, {
      cause,
    });
  }
};

/** A field without its value looks missing or wrong to the schema; that has been told already. */
const about = (unresolved: readonly { path: ProvisionPath }[], { path: at }: Mistake): boolean =>
  unresolved.some(({ path: of }) => at.length === of.length && at.every((step, index) => step === of[index]));
