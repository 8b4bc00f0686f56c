import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import * as oauth from 'oauth4webapi';
import { runCommandLine } from '#lib/demo/throwaway.ts';
import { judgeProof } from '#lib/oauth/dpop.ts';
import { keySet, newSigningKey } from '../../support/assertions.ts';
import { freePort } from '../../support/free-port.ts';
import { putTlsBefore } from './processes.ts';
import type { Judged } from './server.ts';

/*
 * An API for clients that act for themselves, because this server has nothing of its own to show
 * them. It introspects each token, and accepts it only with a proof by the key it is bound to (RFC
 * 9449 section 7).
 */

/** Starts the API and returns its address. */
export async function startResource(judged: Judged): Promise<string> {
  const inner = await freePort();
  const outer = await freePort();
  const address = `${await putTlsBefore(inner, outer)}/accounts`;
  const ask = await introspectionOf(judged);
  const used = new Set<string>();
  const server = createServer(async (request, response) => {
    const isGood = await isWelcome(request, address, ask, used).catch(() => false);
    const headers = { 'content-type': 'application/json', 'www-authenticate': 'DPoP' };
    response.writeHead(isGood ? 200 : 401, headers).end('{}');
  });
  await once(server.listen(inner, '127.0.0.1').unref(), 'listening');
  return address;
}

type Ask = (token: string) => Promise<oauth.IntrospectionResponse>;

async function introspectionOf({ issuer, inner, env }: Judged): Promise<Ask> {
  const key = await newSigningKey('PS256');
  const client = { client_id: 'judge-api' };
  await runCommandLine(env, ['scope', 'create', 'accounts', '--description', 'See accounts']);
  await runCommandLine(env, [
    'client',
    'create',
    '--id',
    client.client_id,
    '--name',
    'API of the judge',
    '--resource-server',
    'on',
    '--grant',
    'client_credentials',
    '--jwks',
    keySet(key),
  ]);
  const server = { issuer, introspection_endpoint: `${inner}/oauth/introspect` };
  const proof = oauth.PrivateKeyJwt({ key: key.privateKey, kid: key.kid });
  const options = { [oauth.allowInsecureRequests]: true };
  return async (token) =>
    oauth.processIntrospectionResponse(
      server,
      client,
      await oauth.introspectionRequest(server, client, proof, token, options),
    );
}

async function isWelcome(
  { method = '', headers }: IncomingMessage,
  address: string,
  ask: Ask,
  used: Set<string>,
): Promise<boolean> {
  const [scheme = '', token = ''] = (headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'dpop') return false;
  const proof = await judgeProof(
    String(headers.dpop),
    { method, addresses: [address], accessToken: token, nonces: { isGood: () => true, next: '' } },
    new Date(),
  );
  if (proof === null || 'fault' in proof || used.has(proof.hash)) return false;
  used.add(proof.hash);
  const { active, cnf } = await ask(token);
  return active && cnf?.jkt === proof.jkt;
}
