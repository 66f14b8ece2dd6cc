import { Prisma } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import type { ProvisionBot, ProvisionFile } from '@nuqloud/contracts';

/**
 * Writes the agent's part of the provision file: bots, rooms, loadouts. Applying it twice
 * changes nothing, and a bot the file does not name stays as it is. Of a bot that it names,
 * tools and rooms become those of the file; an expanded pattern is not expanded again.
 */
export const applyProvision = async (prisma: PrismaClient, file: ProvisionFile): Promise<void> => {
  for (const bot of file.bots) {
    await prisma.$transaction(async (tx) => {
      await writeBot(tx, bot, urlOf(file, bot));
      await writeRooms(tx, bot);
      await writeTools(tx, bot);
    });
  }
};

/** The file was checked: a bot's instance stands in it. */
const urlOf = ({ instances }: ProvisionFile, { instance }: ProvisionBot): string =>
  instances.find(({ id }) => id === instance)?.url ?? '';

const writeBot = async (
  tx: Prisma.TransactionClient,
  bot: ProvisionBot,
  instanceUrl: string,
): Promise<void> => {
  const row = {
    instance: bot.instance,
    instanceUrl,
    name: bot.name,
    triggers: bot.triggers,
    prompt: bot.prompt,
    modelName: bot.model.name ?? null,
    temperature: bot.model.temperature ?? null,
    users: bot.users,
    guests: bot.guests,
    forcedSearch: bot.forcedSearch,
    defaultMode: bot.rooms.default ?? 'mention',
  };
  await tx.agentBot.upsert({ where: { slug: bot.slug }, create: { slug: bot.slug, ...row }, update: row });
};

const writeRooms = async (tx: Prisma.TransactionClient, bot: ProvisionBot): Promise<void> => {
  const rooms = Object.entries(bot.rooms).filter(([room]) => room !== 'default');
  await tx.agentRoom.deleteMany({ where: { bot: bot.slug, room: { notIn: rooms.map(([room]) => room) } } });
  for (const [room, mode] of rooms) {
    await tx.agentRoom.upsert({
      where: { bot_room: { bot: bot.slug, room } },
      create: { bot: bot.slug, room, mode },
      update: { mode },
    });
  }
};

const writeTools = async (tx: Prisma.TransactionClient, bot: ProvisionBot): Promise<void> => {
  const entries = bot.tools.map((entry) => (typeof entry === 'string' ? { name: entry } : entry));
  const names = entries.map(({ name }) => name);
  await tx.botTool.deleteMany({
    where: {
      bot: bot.slug,
      tool: { notIn: names },
      OR: [{ fromPattern: null }, { fromPattern: { notIn: names } }],
    },
  });
  for (const [position, entry] of entries.entries()) {
    const row = {
      isPattern: entry.name.endsWith('*'),
      fromPattern: null,
      scope: ('scope' in entry && entry.scope) || Prisma.DbNull,
      confirm: 'confirm' in entry ? entry.confirm : 'default',
      position,
    };
    await tx.botTool.upsert({
      where: { bot_tool: { bot: bot.slug, tool: entry.name } },
      create: { bot: bot.slug, tool: entry.name, ...row },
      update: row,
    });
  }
};
