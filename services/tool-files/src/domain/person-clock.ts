/** Shows times as the person reads them, `2026-11-30 18:26`. */
export class PersonClock {
  /** IANA name of the zone that is used. */
  readonly zone: string;
  private readonly formatter: Intl.DateTimeFormat;

  /** @param zone null where Nextcloud knows none */
  constructor(zone: string | null) {
    this.formatter = formatterFor(zone ?? 'UTC') ?? new Intl.DateTimeFormat('sv-SE', options('UTC'));
    this.zone = this.formatter.resolvedOptions().timeZone;
  }

  show(date: Date | null): string {
    return date === null ? 'date unknown' : this.formatter.format(date);
  }
}

/** Swedish dates are written as ISO 8601 writes them. */
const options = (timeZone: string): Intl.DateTimeFormatOptions => ({
  timeZone,
  dateStyle: 'short',
  timeStyle: 'short',
});

/** Making one takes longer than a thousand uses; there are as many as zones that people live in. */
const formatters = new Map<string, Intl.DateTimeFormat | undefined>();

const formatterFor = (zone: string): Intl.DateTimeFormat | undefined => {
  if (!formatters.has(zone)) formatters.set(zone, makeFormatter(zone));
  return formatters.get(zone);
};

const makeFormatter = (zone: string): Intl.DateTimeFormat | undefined => {
  try {
    return new Intl.DateTimeFormat('sv-SE', options(zone));
  } catch {
    // RangeError: not in the zone database of this machine.
    return undefined;
  }
};
