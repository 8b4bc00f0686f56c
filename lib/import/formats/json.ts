import { z } from 'zod';
import { isShutOut } from '../../identity/shut-out.ts';
import { storedClaims } from '../../oauth/claims.ts';
import { jsonIn, maybeText, maybeTrue, type Reader, texts } from '../arrivals.ts';

const person = z.strictObject({
  id: maybeText,
  username: maybeText,
  email: maybeText,
  email_verified: maybeTrue,
  name: maybeText,
  password_hash: maybeText,
  must_change_password: maybeTrue,
  disabled: z.union([z.boolean(), z.number(), z.string()]).nullish(),
  claims: storedClaims.optional(),
  groups: texts,
});

const file = z.strictObject({
  people: z.array(person),
  groups: texts,
});

/** Our own format, for programs whose own format is not supported. */
export const readJson: Reader = (text) => {
  const { people, groups } = jsonIn(text, file);
  return {
    people: people.map(
      ({ email_verified, password_hash, must_change_password, disabled, ...rest }) => ({
        ...rest,
        emailVerified: email_verified,
        hash: password_hash,
        mustChangePassword: must_change_password,
        disabled: isShutOut({ disabled }),
      }),
    ),
    groups,
  };
};
