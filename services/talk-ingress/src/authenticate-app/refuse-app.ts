import { HttpException } from '@nestjs/common';
import type { AppRefusal } from './authenticate-app';

/** The answer to whoever is not a Nextcloud of ours, or cannot be known at the moment. AppAPI reads `error`. */
export const refuseApp = (reason: AppRefusal): HttpException =>
  new HttpException({ error: reason }, reason === 'NOT_VERIFIED' ? 503 : 401);
