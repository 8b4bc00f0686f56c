import { z } from 'zod';
import { isShutOut } from '../../identity/shut-out.ts';
import { sentence } from '../../messages/sentence.ts';
import {
  type ArrivingPerson,
  jsonIn,
  maybeText,
  maybeTrue,
  type Reader,
  UnreadableFile,
} from '../arrivals.ts';

/** A hash as files for Auth0's own import have it, of any scheme and encoding. */
const customHash = z
  .looseObject({ algorithm: z.string(), hash: z.looseObject({ value: z.string() }) })
  .transform(({ algorithm, hash: { value } }) =>
    /^[${]/.test(value) ? value : `{custom_password_hash.${algorithm}}`,
  );

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
  password_hash: maybeText,
  custom_password_hash: customHash.optional().catch(undefined),
});

/** The names that Auth0's extension gives its columns: "Id", "Email Verified". */
const named = z.preprocess((said) => {
  if (typeof said !== 'object' || said === null) return said;
  const renamed = Object.entries(said).map(([name, value]) => {
    if (Object.hasOwn(user.shape, name)) return [name, value];
    const plain = name.trim().toLowerCase().replace(/[ -]+/g, '_');
    return [plain === 'id' ? 'user_id' : plain, value];
  });
  return { ...Object.fromEntries(renamed), ...said };
}, user);

/**
 * One JSON object per line, or a list of them: an export of users, also of Auth0's extension, the file of hashes that Auth0's support sends, or
 * both in one file. Lines about the same account are merged into one person.
 */
export const readAuth0: Reader = (text) => {
  const found = new Map<string, ArrivingPerson>();
  for (const [at, each] of usersIn(text.replace(/^\uFEFF/, '')).entries()) {
    const said = arrivalOf(each);
    const key = said.id ?? said.email ?? String(at);
    found.set(key, merged(found.get(key) ?? {}, said));
  }
  return { people: [...found.values()] };
};

function usersIn(text: string): z.output<typeof user>[] {
  if (text.trimStart().startsWith('[')) return jsonIn(text, z.array(named));
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line, at) => (line.trim() === '' ? [] : [lineAt(line, at + 1)]));
}

function lineAt(line: string, at: number): z.output<typeof user> {
  try {
    return jsonIn(line, named);
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
    hash: said.passwordHash ?? said.password_hash ?? said.custom_password_hash,
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
