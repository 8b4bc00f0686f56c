import { z } from 'zod';
import { type Sentence, sentence } from '../../../messages/sentence.ts';
import type { StoredClaims } from '../../../oauth/claims.ts';
import type { ClientSettings } from '../../../oauth/client.ts';
import { digest } from '../../../oauth/secrets.ts';

/** A person from another program, as its file describes them. Nothing has been checked yet. */
export type ArrivingPerson = {
  /** Their id there. Where possible it is kept, as the `sub` that apps know. */
  id?: string;
  username?: string;
  email?: string;
  emailVerified?: boolean;
  name?: string;
  /** The text of their password's hash. */
  hash?: string;
  mustChangePassword?: boolean;
  disabled?: boolean;
  claims?: StoredClaims;
  /** Names of groups. */
  groups?: readonly string[];
};

/** A client from another program, as its file describes it. Its secret is only held as a digest. */
export type ArrivingClient = {
  id: string;
  /** Scopes that are unknown here are left out later. */
  settings: Partial<ClientSettings> & { name: string };
  disabled?: boolean;
  secretHash?: string;
  /** Why it can't come: it works there in a way unknown here. It has to be made again by hand. */
  staysBehind?: Sentence;
  fault?: Sentence;
  /** What differs from the other program. */
  notes: Sentence[];
};

/** The content of another program's file. */
export type Arrivals = {
  people: ArrivingPerson[];
  clients?: ArrivingClient[];
  /** Groups, including those without members. */
  groups?: readonly string[];
  /** The path of the issuer that its clients know. */
  oldIssuer?: string;
};

/** Reads the text of a file. `secret` is what a program keeps separately. @throws UnreadableFile */
export type Reader = (text: string, secret?: string) => Arrivals;

/** A file is not in the format it is said to be in. `why` quotes nothing from it. */
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
    // The message quotes a piece of the file, perhaps of a hash.
    const at = /at position (\d+)/.exec((error as Error).message)?.[1] ?? '?';
    throw new UnreadableFile(sentence('refused.unreadable.json', { at }));
  }
}

/** A value of this shape. @throws UnreadableFile saying where it differs */
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
    // Groups within groups are read by a recursive function.
    if (error instanceof RangeError) throw new UnreadableFile(sentence('refused.unreadable.deep'));
    throw error;
  }
}

/** A text; undefined if the file has none, null or an empty one. */
export const maybeText = z
  .string()
  .nullish()
  .transform((said) => said?.trim() || undefined);

/** True or false, also as 1 or 0; undefined if the file has none. */
export const maybeTrue = z
  .union([z.boolean(), z.literal(0), z.literal(1)])
  .nullish()
  .transform((said) => (typeof said === 'number' ? said === 1 : (said ?? undefined)));

/** A full name, joined from its parts. */
export const wholeName = (...parts: (string | undefined)[]): string | undefined =>
  parts.filter(Boolean).join(' ') || undefined;

/** Printable ASCII (RFC 6749 appendix A.2), of a length that fits in requests. */
const secretForm = /^[\x20-\x7e]{1,1000}$/;
/** What an export writes in place of a secret. */
const masked = /^\*+$/;

/** What is kept of a client's secret in a file, and notes about it. */
export function readSecret(
  secret: string | undefined,
): Pick<ArrivingClient, 'secretHash' | 'fault' | 'notes'> {
  if (!secret || masked.test(secret)) return { notes: [sentence('moved.secret.none')] };
  if (!secretForm.test(secret)) return { fault: sentence('refused.move.secret'), notes: [] };
  const isWeak = secret.length < 16 || new Set(secret).size < 8;
  return { secretHash: digest(secret), notes: isWeak ? [sentence('moved.secret.weak')] : [] };
}
