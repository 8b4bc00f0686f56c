import { z } from 'zod';
import { sentence } from '../../../messages/sentence.ts';
import {
  type ArrivingPerson,
  jsonIn,
  maybeText,
  maybeTrue,
  type Reader,
  UnreadableFile,
} from './arrivals.ts';
import { isShutOut } from './shut-out.ts';

const user = z.looseObject({
  user_id: maybeText,
  _id: z.looseObject({ $oid: z.string() }).optional(),
  connection: maybeText,
  username: maybeText,
  email: maybeText,
  email_verified: maybeTrue,
  name: maybeText,
  given_name: maybeText,
  family_name: maybeText,
  nickname: maybeText,
  passwordHash: maybeText,
});

/**
 * One JSON object per line: an export of users, the file of hashes that Auth0's support sends, or
 * both in one file. Lines about the same account are merged into one person.
 */
export const readAuth0: Reader = (text) => {
  const found = new Map<string, ArrivingPerson>();
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const said = arrivalOf(lineAt(line, at + 1));
    const key = said.id ?? said.email ?? String(at);
    found.set(key, merged(found.get(key) ?? {}, said));
  }
  return { people: [...found.values()] };
};

function lineAt(line: string, at: number): z.output<typeof user> {
  try {
    return jsonIn(line, user);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const line = { line: String(at), why: error.why };
    throw new UnreadableFile(sentence('refused.unreadable.line', line));
  }
}

function arrivalOf(said: z.output<typeof user>): ArrivingPerson {
  const { username, email, name, given_name, family_name, nickname } = said;
  return {
    id: said.user_id ?? (said._id && `auth0|${said._id.$oid}`),
    username,
    email,
    emailVerified: said.email_verified,
    // Auth0 gives the address if it knows no name.
    name: name === email ? undefined : name,
    hash: said.passwordHash,
    disabled: isShutOut(said) || undefined,
    claims: { given_name, family_name, nickname },
  };
}

/** Adds the values of a second line, which take precedence. */
const merged = (before: ArrivingPerson, after: ArrivingPerson): ArrivingPerson => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined)),
  claims: { ...before.claims, ...after.claims },
});
