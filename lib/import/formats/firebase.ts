import { z } from 'zod';
import { isShutOut } from '../../identity/shut-out.ts';
import { sentence } from '../../messages/sentence.ts';
import { jsonIn, maybeText, maybeTrue, type Reader, UnreadableFile } from '../arrivals.ts';

const user = z.looseObject({
  email: maybeText,
  emailVerified: maybeTrue,
  displayName: maybeText,
  phoneNumber: maybeText,
  passwordHash: maybeText,
  salt: maybeText,
});

const file = z.looseObject({ users: z.array(user) });

/**
 * The output of `firebase auth:export FILE --format=json`. `secret` is the text of *Password hash
 * parameters* in Firebase's console; without it no hash can be checked.
 */
export const readFirebase: Reader = (text, { secret } = {}) => {
  const parameters = secret === undefined ? undefined : parametersIn(secret);
  return {
    people: jsonIn(text, file).users.map((said) => ({
      email: said.email,
      emailVerified: said.emailVerified,
      name: said.displayName,
      disabled: isShutOut(said),
      hash: said.passwordHash && said.salt && hashOf(said.passwordHash, said.salt, parameters),
      claims: { phone_number: said.phoneNumber },
    })),
  };
};

type Parameters = { signer: string; separator: string; rounds: string; memory: string };

function parametersIn(text: string): Parameters {
  const found = (name: string) =>
    new RegExp(`"?${name}"?\\s*:\\s*"?([A-Za-z0-9+/=_-]{1,200})"?`).exec(text.slice(0, 5000))?.[1];
  const signer = found('base64_signer_key');
  const separator = found('base64_salt_separator');
  const [rounds, memory] = [found('rounds'), found('mem_cost')];
  if (!signer || !separator || !rounds || !memory)
    throw new UnreadableFile(
      sentence('refused.unreadable.parameters', {
        names: 'base64_signer_key, base64_salt_separator, rounds, mem_cost',
      }),
    );
  return { signer, separator, rounds, memory };
}

/** @param parameters without them the text only names the scheme */
function hashOf(hash: string, salt: string, parameters: Parameters | undefined): string {
  if (!parameters) return '$firescrypt$';
  const { signer, separator, rounds, memory } = parameters;
  const parts = [salt, hash, separator, signer].map((part) =>
    part.replaceAll('-', '+').replaceAll('_', '/'),
  );
  return `$firescrypt$ln=${memory},r=${rounds},p=1$${parts.join('$')}`;
}
