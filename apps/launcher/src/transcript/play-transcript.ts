import type { Closing } from '@nuqloud/platform';
import { startDemo } from '../demo/start-demo';
import { ChatClient } from './chat-client';
import { FilesAtDesk } from './files-at-desk';
import { SCENES } from './conversations';
import type { Scene, Stage } from './conversations';

/** The demo's public room. */
const ROOM = 'x7k2m9pq';

/**
 * Plays the built-in conversations against the whole system and prints them.
 * @returns whether every step did what it should
 */
export const playTranscript = async (
  dataDir: string,
  print: (line: string) => void,
  say: (line: string) => void,
  closing: Closing,
): Promise<boolean> => {
  const demo = await startDemo({ dataDir, port: 0, apart: ['tool-files'], say }, closing);
  const stage: Omit<Stage, 'check'> = {
    demo,
    chat: new ChatClient(demo.url, ROOM),
    files: new FilesAtDesk(demo.url),
    toolFiles: await demo.startService('tool-files'),
    print,
  };
  const wrong: string[] = [];
  for (const scene of SCENES) wrong.push(...(await playScene(scene, stage)));
  print('');
  print(
    wrong.length === 0
      ? `All ${SCENES.length} scenes went as they should.`
      : `${wrong.length} things went wrong:`,
  );
  for (const line of wrong) print(`  - ${line}`);
  return wrong.length === 0;
};

const playScene = async (scene: Scene, stage: Omit<Stage, 'check'>): Promise<string[]> => {
  const wrong: string[] = [];
  const check = (holds: boolean, what: string): void => {
    stage.print(`  ${holds ? '✓' : '✗'} ${what}`);
    if (!holds) wrong.push(`${scene.title}: ${what}`);
  };
  stage.print(`\n── ${scene.title}`);
  try {
    await scene.play(Object.assign(stage, { check }));
  } catch (error) {
    wrong.push(`${scene.title}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return wrong;
};
