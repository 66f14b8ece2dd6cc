import * as planted from '@nuqloud/nextcloud';
export const kept = planted;
