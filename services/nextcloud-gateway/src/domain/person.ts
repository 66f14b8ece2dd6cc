import type { PersonDescription } from '@nuqloud/contracts';
import { z } from 'zod';

/** `GET /ocs/v2.php/cloud/user`, as far as we need it; older servers spell and omit some fields differently. */
export const CloudUser = z.object({
  ocs: z.object({
    data: z.object({
      id: z.string().min(1),
      displayname: z.string().nullish(),
      'display-name': z.string().nullish(),
      language: z.string().nullish(),
      timezone: z.string().nullish(),
      groups: z.array(z.string()).nullish(),
    }),
  }),
});
export type CloudUser = z.infer<typeof CloudUser>['ocs']['data'];

const DEFAULT_LANGUAGE = 'en';
const MAX_NAME = 1_024;
const MAX_GROUPS = 5_000;

export const describePerson = (user: CloudUser): PersonDescription => ({
  v: 1,
  uid: user.id,
  displayName: (user.displayname ?? user['display-name'] ?? user.id).slice(0, MAX_NAME),
  language: languageTag(user.language),
  zone: zoneName(user.timezone),
  groups: (user.groups ?? []).slice(0, MAX_GROUPS),
});

/** Nextcloud writes `de_DE` and `sr@latin` where BCP 47 has `de-DE` and `sr-Latn`. */
const languageTag = (language: string | null | undefined): string => {
  if (!language) return DEFAULT_LANGUAGE;
  try {
    const [tag] = Intl.getCanonicalLocales(language.replace('@latin', '-Latn').replaceAll('_', '-'));
    return tag ?? DEFAULT_LANGUAGE;
  } catch {
    // RangeError: no language tag at all.
    return DEFAULT_LANGUAGE;
  }
};

/** Null for the empty string of a person who never logged in on the web, and for a zone nobody knows. */
const zoneName = (zone: string | null | undefined): string | null => {
  if (!zone || !/^[A-Za-z]/.test(zone)) return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    // RangeError: not in the zone database.
    return null;
  }
};
