import type { ProvisionBot, ProvisionInstance } from '@nuqloud/contracts';
import type { GatewayGrant, Prisma, PrismaClient } from '@nuqloud/database';
import type { Provision, RowSecrets } from '@nuqloud/platform';
import { z } from 'zod';

/** Validates what a secret reference resolves to. */
const AppApiSecret = z.string().min(1, 'must not be empty');

/** Any number that no other lock of this database has. */
const LOCK = 7_210_344;

/** Waiting for another replica included, in milliseconds. */
const TRANSACTION = { maxWait: 10_000, timeout: 60_000 };

/**
 * Writes the gateway's part of the provision file: instances, and what its bots may use. Applying it twice
 * changes nothing. Instances and bots that the file does not name stay as they are; of those it names, all
 * becomes as the file says.
 */
export const applyProvision = async (
  prisma: PrismaClient,
  provision: Provision,
  secrets: RowSecrets,
): Promise<void> => {
  const { instances, bots } = provision.file;
  await prisma.$transaction(async (tx) => {
    // Replicas start at the same time and apply the same file.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`;
    for (const [index, instance] of instances.entries()) {
      const secret =
        instance.appApi && provision.secret(['instances', index, 'appApi', 'secret'], AppApiSecret);
      await writeInstance(tx, instance, secret, secrets);
    }
    for (const bot of bots) await writeGrants(tx, bot);
  }, TRANSACTION);
};

const writeInstance = async (
  tx: Prisma.TransactionClient,
  { id, url, appApi, historyReader }: ProvisionInstance,
  secret: string | undefined,
  secrets: RowSecrets,
): Promise<void> => {
  const stored = await tx.gatewayInstance.findUnique({ where: { id } });
  const row = {
    url,
    appId: appApi?.id ?? null,
    appVersion: appApi?.version ?? null,
    historyReader: historyReader ?? null,
    sealedSecret: secret === undefined ? null : secrets.keepOrSeal(id, secret, stored?.sealedSecret),
  };
  if (!stored) await tx.gatewayInstance.create({ data: { id, ...row } });
  else if (differs(row, stored)) await tx.gatewayInstance.update({ where: { id }, data: row });
};

const differs = <Row extends object>(wanted: Row, stored: Row): boolean =>
  (Object.keys(wanted) as (keyof Row)[]).some((key) => wanted[key] !== stored[key]);

const writeGrants = async (tx: Prisma.TransactionClient, bot: ProvisionBot): Promise<void> => {
  const wanted = grantsOf(bot);
  const stored = await tx.gatewayGrant.findMany({ where: { bot: bot.slug } });
  const same = stored.filter((row) => wanted.some((grant) => !differs(grant, row)));
  await tx.gatewayGrant.deleteMany({ where: { bot: bot.slug, tool: { notIn: toolsOf(same) } } });
  const kept = new Set(toolsOf(same));
  await tx.gatewayGrant.createMany({ data: wanted.filter(({ tool }) => !kept.has(tool)) });
};

const toolsOf = (rows: readonly { readonly tool: string }[]): string[] => rows.map(({ tool }) => tool);

const grantsOf = ({ slug, instance, tools }: ProvisionBot): GatewayGrant[] =>
  tools.map((entry) => ({
    bot: slug,
    instance,
    ...(typeof entry === 'string'
      ? { tool: entry, mode: 'user', profile: null }
      : { tool: entry.name, mode: entry.mode, profile: entry.profile ?? null }),
  }));
