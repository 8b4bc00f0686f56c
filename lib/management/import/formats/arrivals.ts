import { z } from 'zod';
import { type Sentence, sentence } from '../../../messages/sentence.ts';
import type { StoredClaims } from '../../../oauth/claims.ts';
import type { ClientSettings } from '../../../oauth/client.ts';
import { digest } from '../../../oauth/secrets.ts';

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

/** A client that comes from another program, as its file has it. Its secret is a digest from the first. */
export type ArrivingClient = {
  id: string;
  /** Scopes among them that are unknown here are left out. */
  settings: Partial<ClientSettings> & { name: string };
  disabled?: boolean;
  secretHash?: string;
  /** Where none of the other program's ways leads here; whoever wants it makes it anew. */
  staysBehind?: Sentence;
  fault?: Sentence;
  /** What is not as it was. */
  notes: Sentence[];
};

/** What a file of another program says. */
export type Arrivals = {
  people: Arrival[];
  clients?: ArrivingClient[];
  /** Groups that nobody may be in. */
  groups?: readonly string[];
  /** The path of the issuer that its clients know. */
  oldIssuer?: string;
};

/** Reads the text of a file. `secret` is what a program keeps beside it. @throws UnreadableFile */
export type Reader = (text: string, secret?: string) => Arrivals;

/** A file is not what it was said to be. `why` says nothing of what stands in it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly why: Sentence;

  constructor(why: Sentence) {
    super(why.key);
    this.why = why;
  }
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
    const at = /at position (\d+)/.exec((error as Error).message)?.[1] ?? '?';
    throw new UnreadableFile(sentence('refused.unreadable.json', { at }));
  }
}

/** A value of this shape. @throws UnreadableFile saying where it is not */
export function shaped<Shape extends z.ZodType>(value: unknown, shape: Shape): z.output<Shape> {
  const read = readShape(value, shape);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const [at, why] = [issue?.path.join('.') || '.', issue?.message ?? ''];
  throw new UnreadableFile(sentence('refused.unreadable.at', { at, why }));
}

function readShape<Shape extends z.ZodType>(value: unknown, shape: Shape) {
  try {
    return shape.safeParse(value);
  } catch (error) {
    // Groups within groups are read by a function that calls itself.
    if (error instanceof RangeError) throw new UnreadableFile(sentence('refused.unreadable.deep'));
    throw error;
  }
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

/** Printable ASCII (RFC 6749 appendix A.2), of a length that requests can carry. */
const secretForm = /^[\x20-\x7e]{1,1000}$/;
/** What an export writes in place of a secret. */
const masked = /^\*+$/;

/** What is kept of a client's secret in a file, and what to know about it. */
export function readSecret(
  secret: string | undefined,
): Pick<ArrivingClient, 'secretHash' | 'fault' | 'notes'> {
  if (!secret || masked.test(secret)) return { notes: [sentence('moved.secret.none')] };
  if (!secretForm.test(secret)) return { fault: sentence('refused.move.secret'), notes: [] };
  const isWeak = secret.length < 16 || new Set(secret).size < 8;
  return { secretHash: digest(secret), notes: isWeak ? [sentence('moved.secret.weak')] : [] };
}
