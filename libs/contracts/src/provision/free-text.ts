import { z } from 'zod';

/** What no file of ours may hold where people or machines read one line. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Something that can be seen: not only spaces and what shows as nothing. */
const SEEN = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A name for people: one line in which something can be seen. */
export const shownName = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => SEEN.test(text), 'must not be blank')
    .refine((text) => !UNPRINTABLE.test(text), 'must be one line without control characters');

/** What is compared exactly, e.g. a user id: a space too many would be another one, which nobody sees. */
export const exactName = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => SEEN.test(text), 'must not be blank')
    .refine((text) => text.trim() === text, 'must not begin or end with a space')
    .refine(
      (text) => !/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text),
      'must not hold control characters or what cannot be seen',
    );

/** A longer text; PostgreSQL keeps no NUL and no half of a character. */
export const longText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/[^\P{Cc}\t\n\r]|\p{Cs}/u.test(text), 'must not hold control characters');

/** A folder of the person's files as it is shown: `/Projects/2026`. */
export const folderPath = z
  .string()
  .max(4_000)
  .refine((path) => path.startsWith('/'), 'must begin with /, for example /Projects')
  .refine((path) => !UNPRINTABLE.test(path), 'must not hold control characters')
  .refine((path) => !path.includes('\\'), 'must separate folders with /, not with a backslash')
  .refine((path) => path === '/' || !/\/\//.test(path), 'must not hold an empty part (//)')
  .refine((path) => !path.split('/').some((part) => part === '.' || part === '..'), {
    error: 'must not hold . or .. as a part: name the folder itself',
  });
