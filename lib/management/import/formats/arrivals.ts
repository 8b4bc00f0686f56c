import { z } from 'zod';
import type { StoredClaims } from '../../../oauth/claims.ts';

/** Somebody who comes from another program, as its file has them: nothing is judged yet. */
export type Arrival = {
  /** What they were there: kept, where it can be, as the `sub` that apps know. */
  id?: string;
  username?: string;
  email?: string;
  emailVerified?: boolean;
  name?: string;
  /** The text of the hash of their password. */
  hash?: string;
  mustChangePassword?: boolean;
  disabled?: boolean;
  claims?: StoredClaims;
  /** Names of groups. */
  groups?: readonly string[];
};

/** What a file of another program says. */
export type Arrivals = {
  people: Arrival[];
  /** Groups that nobody may be in. */
  groups?: readonly string[];
};

/** Reads the text of a file. `secret` is what a program keeps beside it. @throws UnreadableFile */
export type Reader = (text: string, secret?: string) => Arrivals;

/** A file is not what it was said to be. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** JSON of this shape. @throws UnreadableFile */
export function jsonIn<Shape extends z.ZodType>(text: string, shape: Shape): z.output<Shape> {
  return shaped(parseJson(text), shape);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The message has a piece of the file in it, perhaps of a hash.
    const place = /at position \d+/.exec((error as Error).message)?.[0] ?? '';
    throw new UnreadableFile(`it is no JSON ${place}`.trim());
  }
}

/** A value of this shape. @throws UnreadableFile saying where it is not */
export function shaped<Shape extends z.ZodType>(value: unknown, shape: Shape): z.output<Shape> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UnreadableFile(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? ''}`);
}

/** A text, where a file may have none, null or an empty one. */
export const maybeText = z
  .string()
  .nullish()
  .transform((said) => said?.trim() || undefined);

/** True or false, where a file may have 1, 0 or nothing. */
export const maybeTrue = z
  .union([z.boolean(), z.literal(0), z.literal(1)])
  .nullish()
  .transform((said) => (typeof said === 'number' ? said === 1 : (said ?? undefined)));

/** A name that is given in parts. */
export const wholeName = (...parts: (string | undefined)[]): string | undefined =>
  parts.filter(Boolean).join(' ') || undefined;
