import { z } from 'zod';
import { type Sentence, sentence } from '../messages/sentence.ts';
import type { StoredClaims } from '../oauth/claims.ts';
import type { ClientSettings } from '../oauth/client.ts';
import { digest } from '../oauth/secrets.ts';
import { mostGroupsOfPerson } from '../store/groups.ts';
import { isPlaceholder } from './placeholder.ts';

/** A person from another program, as its file describes them. Nothing has been checked yet. */
export type ArrivingPerson = {
  /** Their id there. Where possible it is kept, as the `sub` that apps know. */
  id?: string;
  username?: string;
  email?: string;
  emailVerified?: boolean;
  name?: string;
  hash?: string;
  /** Their password itself, from a file that somebody wrote by hand. It is hashed at once. */
  password?: string;
  mustChangePassword?: boolean;
  disabled?: boolean;
  claims?: StoredClaims;
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

export type Arrivals = {
  people: ArrivingPerson[];
  clients?: ArrivingClient[];
  /** Groups, including those without members. */
  groups?: readonly string[];
  /** Columns of a table that mean nothing here. */
  ignored?: readonly string[];
  /** The path of the issuer that its clients know. */
  oldIssuer?: string;
};

/** What a file needs beside its text: what its program keeps separately, and which realm is meant. */
export type Besides = { secret?: string; realm?: string };

/** Reads the text of a file. @throws UnreadableFile */
export type Reader = (text: string, besides?: Besides) => Arrivals;

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

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The message quotes a piece of the file, perhaps of a hash.
    const at = String(placeOfFault(text.replace(/^\uFEFF/, '')));
    throw new UnreadableFile(sentence('refused.unreadable.json', { at }));
  }
}

/**
 * Where a text stops being JSON: most messages of Node do not say. The beginning of JSON is only
 * faulty at its end, so the place is between the longest such beginning and the next.
 */
function placeOfFault(text: string): number {
  let [good, bad] = [0, text.length];
  while (good < bad) {
    const middle = Math.ceil((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle - 1;
  }
  return good;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const at = /at position (\d+)/.exec(message)?.[1];
    const isCut = /(?:^|[[{,:\s])(?:t|tr|tru|f|fa|fal|fals|n|nu|nul)$/.test(text.slice(-5));
    return isCut || /end of JSON input/.test(message) || Number(at ?? -1) >= text.length;
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

/** A text, also written as a number or a boolean, exactly as it stands. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** A text; undefined if the file has none, null or an empty one. */
export const maybeText = scalar.nullish().transform((said) => said?.trim() || undefined);

/** A list of texts; one text stands for a list of one, and null for none. */
export const texts = z
  .union([z.array(scalar.nullable()), scalar.transform((one) => [one])])
  .nullish()
  .transform((said) => (said ?? []).flatMap((each) => each ?? []));

/** True or false, also as a number or a text; undefined if the file has none. */
export const maybeTrue = scalar
  .nullish()
  .transform((said) => (said ? /^(?:true|yes|on|[1-9]\d*)$/i.test(said.trim()) : undefined));

/** Appends in place: copying the list for each value would take quadratic time. */
export function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/**
 * A person's groups, found by what names the person: no more than anyone can have, because a file
 * can have as many groups as people, all of the same name.
 */
export const groupsAt = (lists: ReadonlyMap<string, string[]>, keys: readonly string[]): string[] =>
  keys.flatMap((key) => lists.get(key)?.slice(0, mostGroupsOfPerson) ?? []);

/** A full name, joined from its parts. */
export const wholeName = (...parts: (string | undefined)[]): string | undefined =>
  parts.filter(Boolean).join(' ') || undefined;

/** Printable ASCII (RFC 6749 appendix A.2), of a length that fits in requests. */
const secretForm = /^[\x20-\x7e]{1,1000}$/;
/** Words that secrets in templates and in try-outs are made of. */
const commonWords =
  /secret|password|passw|client|change|super|my|your|the|test|dev|local|demo|example|sample|default|key|token|admin|keycloak|oauth2?|oidc|app|please|before|this|in[-_ ]?prod(?:uction)?/gi;

/** What is kept of a client's secret in a file, and notes about it. */
export function readSecret(
  secret: string | undefined,
  id: string,
): Pick<ArrivingClient, 'secretHash' | 'fault' | 'notes'> {
  if (!secret || isPlaceholder(secret)) return { notes: [sentence('moved.secret.none')] };
  if (!secretForm.test(secret)) return { fault: sentence('refused.move.secret'), notes: [] };
  if (isEasy(secret, id)) return { notes: [sentence('moved.secret.weak')] };
  return { secretHash: digest(secret), notes: [] };
}

/**
 * Whether a secret can be guessed. Right secrets are never refused, however many wrong ones came
 * before, so one that can be guessed must not come in.
 */
function isEasy(secret: string, id: string): boolean {
  const bare = secret
    .replaceAll(id, '')
    .replace(commonWords, '')
    .replace(/[-_ .]/g, '');
  return secret.length < 16 || new Set(secret).size < 8 || new Set(bare).size < 6 || isTyped(bare);
}

/** The order of letters and digits in the alphabet and on keyboards. */
const rows =
  'abcdefghijklmnopqrstuvwxyz 01234567890 0987654321 qwertyuiop qwertzuiop azertyuiop asdfghjkl qsdfghjklm zxcvbnm yxcvbnm';

/** Whether most signs only go on from the one before them: `0123456789abcdef`, `qwertyuiop`. */
function isTyped(secret: string): boolean {
  const signs = [...secret.toLowerCase()];
  const goesOn = signs.filter((sign, at) => at > 0 && rows.includes(`${signs[at - 1]}${sign}`));
  return goesOn.length * 2 > signs.length;
}
