import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Ends the name of a file that is being written, or was when its process died. */
export const PART = '.part';

/** Writes a file that is whole or not there, for its owner alone, and returns once it survives a crash of the machine. */
export const writeDurably = async (file: string, content: string): Promise<void> => {
  const part = file + PART;
  try {
    const handle = await open(part, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await Promise.allSettled([rm(part, { force: true }), rm(file, { force: true })]);
    throw error;
  }
};

/** A name is on the disk only once its folder is. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
