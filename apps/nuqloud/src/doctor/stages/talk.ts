import { ExamineTalk } from '@nuqloud/contracts';
import type { ExaminedBot } from '@nuqloud/contracts';
import { NotExamined, Wrong } from '../examination';
import type { Checked, Examination } from '../examination';
import type { Instances } from './nextcloud';
import type { Running } from './services';

type ExaminedRoom = ExaminedBot['rooms'][number];

/** The bots' secrets in both directions, and where they may speak, as talk-ingress finds it. */
export const examineTalk = async (
  exam: Examination,
  running: Running,
  instances: Instances,
  room: string | undefined,
): Promise<void> => {
  exam.stage('Talk bots');
  const examined = await exam.check('bots', [running['talk-ingress']], async (bus) => {
    const { bots } = await bus.request(ExamineTalk, {}, { v: 1, ...(room !== undefined && { room }) });
    if (bots.length === 0)
      throw new Wrong('talk-ingress knows no bot.', 'Name one in the provision file (PROVISION_FILE).');
    return { found: bots.map(({ bot }) => bot).join(', '), value: bots };
  });
  if (!examined.right) return;
  for (const bot of examined.value) {
    const talk = instances.find(({ id }) => id === bot.instance)?.talk;
    await examineBot(exam, bot, talk ?? { name: `${bot.instance}: Talk`, right: false });
  }
};

const examineBot = async (exam: Examination, bot: ExaminedBot, talk: Checked<string>): Promise<void> => {
  await exam.check(`${bot.bot}: what Nextcloud signs`, [talk], () => examineWebhooks(bot));
  const signed = await exam.check(`${bot.bot}: what we sign`, [talk], () => examineOurSignature(bot));
  for (const examined of bot.rooms) {
    await exam.check(`${bot.bot}: room ${examined.room}`, [signed], () => examineRoom(examined));
  }
};

const SAME_SECRET =
  'The talkSecret of the provision file (TALK_BOT_SECRET) must be the one that was given to `occ talk:bot:install`.';

const examineWebhooks = ({ webhooks: { verified, wrongInARow } }: ExaminedBot) => {
  if (wrongInARow > 0) {
    throw new Wrong(
      `is wrong in the last ${wrongInARow} webhooks.`,
      `${SAME_SECRET} (Unless somebody forges: then write in a room of the bot and run this again.)`,
    );
  }
  if (verified > 0)
    return { found: `is right (${verified} webhooks since talk-ingress started)`, value: undefined };
  throw new NotExamined(
    'no webhook has come since talk-ingress started; write in a room of the bot and run this again',
  );
};

/** Talk takes a signature only from a bot that may speak in the room, and does not say what is missing. */
const examineOurSignature = ({ rooms, webhooks }: ExaminedBot) => {
  if (rooms.length === 0)
    throw new NotExamined('the bot has not spoken anywhere yet; name a room: `doctor --room TOKEN`');
  if (rooms.some(({ verdict }) => verdict === 'blocked')) {
    throw new Wrong(
      'Nextcloud has blocked our address after too many wrong signatures.',
      `${SAME_SECRET} Then wait half an hour.`,
    );
  }
  if (rooms.some(isKnownToTalk)) return { found: 'is accepted', value: undefined };
  if (rooms.every(({ verdict }) => verdict === 'unreachable'))
    throw new Wrong(
      "Talk's door for bots does not answer.",
      'Look at the log of talk-ingress and of the web server.',
    );
  // The same secret signs both ways: where what comes is right, it cannot be the secret.
  if (webhooks.verified > 0 && webhooks.wrongInARow === 0)
    return { found: 'is right, as the same secret shows in webhooks', value: undefined };
  throw new Wrong(
    'is refused.',
    `${SAME_SECRET} If it is, the bot is not set up in that room or lacks the feature response: \`occ talk:bot:list TOKEN\` shows both.`,
  );
};

const isKnownToTalk = ({ verdict, features }: ExaminedRoom): boolean =>
  verdict === 'accepted' || features !== null;

const examineRoom = ({ room, verdict, features }: ExaminedRoom) => {
  if (verdict === 'accepted') return { found: 'the bot is set up and may respond', value: undefined };
  if (verdict === 'unreachable') throw new Wrong('Talk did not answer in time.', 'Run this again.');
  if (features?.response === false) {
    throw new Wrong(
      'the bot is set up, but lacks the feature response.',
      '`occ talk:bot:state ID 1 -f webhook -f response -f reaction` gives it (ID: `occ talk:bot:list`).',
    );
  }
  throw new Wrong(
    'the bot may not respond.',
    `A moderator sets it up (room settings, Bots), and \`occ talk:bot:list ${room}\` has to show the feature response.`,
  );
};
