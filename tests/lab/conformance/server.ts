import { join } from 'node:path';
import { newData, runCommandLine } from '#lib/demo/throwaway.ts';
import { programs } from '#lib/tooling/programs.ts';
import { keySet, newSigningKey, type SigningKey } from '../../support/assertions.ts';
import { freePort } from '../../support/free-port.ts';
import type { Plan } from './plans.ts';
import { end, keepCertificate, listening, putTlsBefore, start } from './processes.ts';

/** The server that is tested. */
export type Judged = {
  issuer: string;
  /** Its address behind the TLS proxy. */
  inner: string;
  /** Changes the keys that it signs with. */
  rotateKeys: () => Promise<unknown>;
  /** Replaces the person by a new one with the same name. */
  replacePerson: () => Promise<void>;
  env: NodeJS.ProcessEnv;
  /** Stops it and removes its data. */
  stop: () => Promise<void>;
};

export const person = { username: 'judged', password: 'let me through the gate' };

/** Starts it behind TLS, on a new database, with one person who has every standard claim. */
export async function startJudged(
  settings: Readonly<Record<string, string>>,
  folder: string,
): Promise<Judged> {
  const inner = await freePort();
  const outer = await freePort();
  const issuer = await putTlsBefore(inner, outer);
  const { env: plain, remove } = newData('gatehouse-judged-', String(inner));
  const env = {
    ...plain,
    ISSUER: issuer,
    TRUSTED_PROXIES: '127.0.0.1',
    ...limits,
    ...callsSuite,
    NODE_EXTRA_CA_CERTS: keepCertificate(folder),
    ...settings,
  };
  await createPerson(env);
  const child = start(process.execPath, [programs.server], env, join(folder, 'server.log'));
  await listening(inner, child, 120);
  const stop = async () => {
    await end(child);
    remove();
  };
  return {
    issuer,
    inner: `http://127.0.0.1:${inner}`,
    env,
    stop,
    rotateKeys: () => runCommandLine(env, ['keys', 'rotate']),
    replacePerson: async () => {
      await runCommandLine(env, ['user', 'delete', person.username]);
      await createPerson(env);
    },
  };
}

async function createPerson(env: NodeJS.ProcessEnv): Promise<void> {
  await runCommandLine(env, [
    'user',
    'create',
    '--username',
    person.username,
    '--password',
    person.password,
    '--email',
    'judged@example.org',
    '--name',
    'Jane Judged',
  ]);
  await runCommandLine(env, ['user', 'update', person.username, ...everyClaim]);
}

/**
 * The standard claims (OpenID Connect Core section 5.1). The suite takes an early birth year for a
 * mistake.
 */
const everyClaim = [
  '--given-name',
  'Jane',
  '--middle-name',
  'J.',
  '--family-name',
  'Judged',
  '--nickname',
  'Jay',
  '--gender',
  'female',
  '--birthdate',
  '1990-02-03',
  '--profile',
  'https://jane.example/me',
  '--website',
  'https://jane.example',
  '--zoneinfo',
  'Europe/Berlin',
  '--locale',
  'en',
  '--phone-number',
  '+49 30 123456',
  '--phone-number-verified',
  'on',
  '--email-verified',
  'on',
  '--street-address',
  'Way 1',
  '--postal-code',
  '10115',
  '--locality',
  'Berlin',
  '--region',
  'Berlin',
  '--country',
  'DE',
];

/** Settings for a single machine that sends as many requests as a whole day brings. */
const limits = { FAILED_REQUESTS_PER_ADDRESS: '0', LOG_LEVEL: 'info' };

/** The suite runs on this machine, and so do its key sets and logout addresses. */
const callsSuite = {
  BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on',
  CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES: 'on',
};

/** What the suite is told about its clients. @param at the address of the suite's test */
export async function clientsFor(
  { name, clients, scope = 'openid profile email' }: Plan,
  judged: Judged,
  at: string,
): Promise<Record<string, object>> {
  if (clients === 'registered') return { client: { client_name: 'Judge' } };
  const newClient = (id: string) =>
    clients === 'key'
      ? newClientByKey(judged, id, at, scope)
      : newClientBySecret(judged, id, at, name.includes('backchannel'));
  const client = await newClient('judge-one');
  return {
    client,
    client2: await newClient('judge-two'),
    // The same client may send its secret in either way.
    ...(clients === 'secret' && { client_secret_post: client }),
  };
}

async function newClientByKey(
  judged: Judged,
  id: string,
  at: string,
  scope: string,
): Promise<object> {
  const key = await newSigningKey('PS256');
  await createClient(judged, id, at, ['--jwks', keySet(key)], scope);
  return {
    client_id: id,
    scope,
    jwks: { keys: [await privateHalf(key)] },
    dpop_signing_alg: 'ES256',
  };
}

/**
 * PKCE is not required of this client, because most modules of the OpenID Connect plans do without
 * it.
 */
async function newClientBySecret(
  judged: Judged,
  id: string,
  at: string,
  hearsOfSignOuts: boolean,
): Promise<object> {
  const { client_secret } = await createClient(judged, id, at, [
    '--require-pkce',
    'off',
    '--post-logout-redirect-uri',
    `${at}/post_logout_redirect`,
    ...(hearsOfSignOuts ? ['--backchannel-logout-uri', `${at}/backchannel_logout`] : []),
  ]);
  return { client_id: id, client_secret };
}

function createClient(
  { env }: Judged,
  id: string,
  at: string,
  more: readonly string[],
  scope = '',
): Promise<Record<string, unknown>> {
  const callback = `${at}/callback`;
  const scopes = new Set([...standard, ...scope.split(' ')]);
  return runCommandLine(env, [
    'client',
    'create',
    '--id',
    id,
    '--name',
    `Judge ${id}`,
    '--first-party',
    'on',
    '--scope',
    [...scopes].join(' ').trim(),
    ...[callback, `${callback}?dummy1=lorem&dummy2=ipsum`].flatMap((uri) => [
      '--redirect-uri',
      uri,
    ]),
    ...grants.flatMap((grant) => ['--grant', grant]),
    ...more,
  ]);
}

const standard = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];
const grants = ['authorization_code', 'refresh_token', 'client_credentials'];

async function privateHalf({ privateKey, kid, alg }: SigningKey): Promise<object> {
  const { exportJWK } = await import('jose');
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}
