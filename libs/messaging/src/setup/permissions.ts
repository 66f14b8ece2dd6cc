import { DEAD_LETTER_STREAM, DeadLetterReplayed } from '@nuqloud/contracts';
import type { BusAccess, MessageContract, StreamDefinition } from '@nuqloud/contracts';
import { MONITOR_ACCESS } from '@nuqloud/contracts';
import { inboxPrefix } from '../client/connect';
import { subjectPattern } from '../wire/subject';
import { ADVISORIES, consumerSubjects, OBSERVATIONS } from './shared-subjects';

/** Permissions of one NATS user. */
export interface BusPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** May answer each request once. */
  readonly mayReply: boolean;
}

const SERVICE_VERBS = ['PING', 'INFO', 'STATS'];

/** The least subjects with which a service can do what its access says. */
export const servicePermissions = (
  service: string,
  access: BusAccess,
  streams: readonly StreamDefinition[],
): BusPermissions => {
  const subject = (contract: MessageContract) => subjectPattern(contract.subject, access.params);
  return {
    publish: unique([
      ...access.sends.map(subject),
      ...streams.flatMap((stream) => consumerSubjects(stream, service)),
    ]),
    subscribe: unique([
      `${inboxPrefix(service)}.>`,
      ...access.receives.map(subject),
      ...SERVICE_VERBS.flatMap((verb) => [
        `$SRV.${verb}`,
        `$SRV.${verb}.${service}`,
        `$SRV.${verb}.${service}.*`,
      ]),
    ]),
    // Even a service that serves nothing answers the Services API's ping.
    mayReply: true,
  };
};

/**
 * The administrator's commands: makes and changes streams and consumers, reads dead letters and puts their messages back
 * into the streams that have consumers, and hears nothing but answers. Who holds its key could read a stream, or shorten
 * one: it belongs where deployments are run, and nowhere else.
 */
export const provisionerPermissions = (streams: readonly StreamDefinition[]): BusPermissions => ({
  publish: [
    '$JS.API.INFO',
    '$JS.API.STREAM.INFO.*',
    '$JS.API.STREAM.CREATE.*',
    '$JS.API.STREAM.UPDATE.*',
    '$JS.API.CONSUMER.INFO.*.*',
    '$JS.API.CONSUMER.CREATE.>',
    '$JS.API.CONSUMER.DURABLE.CREATE.*.*',
    ...replaySubjects(streams),
  ],
  subscribe: [`${inboxPrefix('provisioner')}.>`],
  mayReply: false,
});

const replaySubjects = (streams: readonly StreamDefinition[]): string[] => {
  const consumed = streams.filter(({ consumers }) => consumers.length > 0);
  return [
    ...[DEAD_LETTER_STREAM, ...consumed.map(({ name }) => name)].map(
      (name) => `$JS.API.STREAM.MSG.GET.${name}`,
    ),
    ...consumed.flatMap(({ subjects }) => subjects),
    DeadLetterReplayed.subject,
  ];
};

/** Dashboards and the doctor: asks who is there, how streams fare, and the services whether all is well. */
export const monitorPermissions: BusPermissions = {
  publish: ['$SRV.>', ...OBSERVATIONS, ...MONITOR_ACCESS.sends.map(({ subject }) => subject)],
  subscribe: [`${inboxPrefix('monitor')}.>`, ADVISORIES],
  mayReply: false,
};

const unique = (subjects: readonly string[]): string[] => [...new Set(subjects)];
