import { join } from 'node:path';
import { newData, runCommandLine } from '#lib/demo/throwaway.ts';
import { keySet, newSigningKey, type SigningKey } from '../support/assertions.ts';
import { freePort } from '../support/server.ts';
import { listening, putTlsBefore, start } from './processes.ts';

/** The server that is judged. */
export type Judged = { issuer: string; env: NodeJS.ProcessEnv; remove: () => void };

export const person = { username: 'judged', password: 'let me through the gate' };

/** Starts it behind TLS, on a database of its own, with one person who has every standard claim. */
export async function startJudged(
  settings: Record<string, string>,
  folder: string,
): Promise<Judged> {
  const [inner, outer] = [await freePort(), await freePort()];
  const issuer = await putTlsBefore(inner, outer);
  const { env: plain, remove } = newData('gatehouse-judged-', String(inner));
  const env = { ...plain, ISSUER: issuer, TRUSTED_PROXIES: '127.0.0.1', ...limits, ...settings };
  await runCommandLine(env, [
    ...['user', 'create', '--username', person.username, '--password', person.password],
    ...['--email', 'judged@example.org', '--name', 'Jane Judged'],
  ]);
  await runCommandLine(env, ['user', 'update', person.username, ...everyClaim]);
  const child = start(process.execPath, ['lib/server.ts'], env, join(folder, 'server.log'));
  await listening(inner, child, 120);
  return { issuer, env, remove };
}

/** The standard claims (OpenID Connect Core section 5.1). The suite takes an early year of birth for a mistake. */
const everyClaim = [
  ...['--given-name', 'Jane', '--middle-name', 'J.', '--family-name', 'Judged'],
  ...['--nickname', 'Jay', '--gender', 'female', '--birthdate', '1990-02-03'],
  ...['--profile', 'https://jane.example/me', '--website', 'https://jane.example'],
  ...['--zoneinfo', 'Europe/Berlin', '--locale', 'en', '--phone-number', '+49 30 123456'],
  ...['--phone-number-verified', 'on', '--email-verified', 'on', '--street-address', 'Way 1'],
  ...['--postal-code', '10115', '--locality', 'Berlin', '--region', 'Berlin', '--country', 'DE'],
];

/** One machine asks for all that a day brings. */
const limits = { FAILED_REQUESTS_PER_ADDRESS: '0', LOG_LEVEL: 'info' };

/** A client of the suite, and its private key as the suite has it. */
export async function newClient(
  { env }: Judged,
  id: string,
  redirectUris: readonly string[],
): Promise<{ client_id: string; scope: string; jwks: object; dpop_signing_alg: string }> {
  const key = await newSigningKey('PS256');
  await runCommandLine(env, [
    ...['client', 'create', '--id', id, '--name', `Judge ${id}`, '--jwks', keySet(key)],
    ...redirectUris.flatMap((uri) => ['--redirect-uri', uri]),
    ...['authorization_code', 'refresh_token', 'client_credentials'].flatMap((grant) => [
      '--grant',
      grant,
    ]),
    ...['--scope', 'openid profile email address phone offline_access', '--first-party', 'on'],
  ]);
  return {
    client_id: id,
    scope: 'openid profile email',
    jwks: { keys: [await privateHalf(key)] },
    dpop_signing_alg: 'ES256',
  };
}

async function privateHalf({ privateKey, kid, alg }: SigningKey): Promise<object> {
  const { exportJWK } = await import('jose');
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}
