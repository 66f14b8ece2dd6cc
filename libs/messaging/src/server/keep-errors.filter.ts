import { Catch } from '@nestjs/common';
import type { ExceptionFilter } from '@nestjs/common';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';

/** Hands errors on as they are: Nest's own filter would turn each into "Internal server error". */
@Catch()
export class KeepErrors implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
