/** How this installation is known to one Nextcloud's AppAPI. The secret can be every user there. */
export interface AppApi {
  readonly id: string;
  readonly version: string;
  readonly secret: string;
}

/** Sent as the AppAPI protocol has it; servers do not look at it. */
const AA_VERSION = '32.0.0';

/** The headers with which a request acts as one person. */
export const appApiHeaders = (appApi: AppApi, uid: string): Record<string, string> => ({
  'EX-APP-ID': appApi.id,
  'EX-APP-VERSION': appApi.version,
  'AA-VERSION': AA_VERSION,
  'AUTHORIZATION-APP-API': Buffer.from(`${uid}:${appApi.secret}`, 'utf8').toString('base64'),
});
