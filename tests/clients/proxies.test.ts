// Runs the configurations of docs/proxies.md in front of a server.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as send } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Arrived } from '#lib/endpoints/arrived.ts';
import { doctorHeader, makeDoctorPass } from '#lib/sealed/doctor.ts';
import { cli } from '../cli/command-line.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { listenAs } from '../support/events.ts';
import { freePort } from '../support/free-port.ts';
import { openServer, type TestServer } from '../support/open-server.ts';
import { answerOf, newAdmin, Person } from '../support/person.ts';
import { kinds, makeCertificate, startProxy } from '../support/proxies.ts';
import { newClient, newUser } from '../support/seed.ts';

const { folder, certificate } = makeCertificate();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')]);

const port = await freePort();
const issuer = `https://localhost:${port}`;
const server = await openServer({ ISSUER: issuer });
process.env.ISSUER = issuer;
const gatehouse: TestServer = { ...server, base: issuer, issuer };

type Sent = { path: string; headers?: Record<string, string>; from?: string };

/** Sends a request from a client address of its own. */
async function visit({ path, headers = {}, from = '127.0.0.9' }: Sent) {
  const options = { port, path, headers, localAddress: from, agent: false };
  const asked = send({ host: '127.0.0.1', servername: 'localhost', ...options }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  return { status: answer.statusCode, body };
}

/** What arrives at the server when a browser sends forged headers. */
async function arrived(headers: Record<string, string>): Promise<Arrived> {
  const pass = { [doctorHeader]: makeDoctorPass(new Date()), host: `localhost:${port}` };
  const { body } = await visit({ path: '/readyz?verbose', headers: { ...pass, ...headers } });
  return (JSON.parse(body) as { arrived: Arrived }).arrived;
}

/**
 * Uploads a picture of this size without being signed in, through the proxy or directly. Returns
 * the status.
 */
async function upload(base: string, bytes: number): Promise<number> {
  const headers = { origin: issuer, 'content-type': 'multipart/form-data; boundary=x' };
  const body = Buffer.alloc(bytes, 'x');
  const request = { method: 'POST', headers, body, redirect: 'manual' } as const;
  return (await fetch(`${base}/account/picture/submit`, request)).status;
}

const logOf = (kind: string) =>
  globSync(`${folder}/access-${kind}*`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

describe.each(Object.keys(kinds))('the reverse proxy %s as in docs/proxies.md', (kind) => {
  test('everything works behind it, and its log has no secrets', {
    timeout: 120_000,
  }, async (context) => {
    if (!(await haveDebianPackages(...(kinds[kind]?.packages ?? [])))) return context.skip();
    const plainPort = await freePort();
    const proxy = await startProxy(kind, { port, plainPort, behind: server.port, folder });
    try {
      // A sign-in up to the code, with cookies for https.
      const client = await newClient({ redirectUris: ['https://app.example.org/cb'] });
      const { username } = await newUser();
      const person = new Person(gatehouse, username);
      const code = await person.code({
        client_id: client.id,
        response_type: 'code',
        state: 'st-1',
      });
      // So does the longest request that docs/endpoints.md promises: each answer repeats it.
      const state = randomBytes(3072).toString('base64url');
      const longest = { client_id: client.id, response_type: 'code', state };
      const answer = answerOf(await new Person(gatehouse, username).authorize(longest));
      expect(answer.state).toBe(state);
      expect([...person.cookies.keys()].every((name) => name.startsWith('__Host-'))).toBe(true);

      // Forwarding headers from a browser are not believed.
      const forged = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
      expect(await arrived(forged)).toMatchObject({
        peer: '127.0.0.1',
        address: '127.0.0.9',
        forwardedFor: '127.0.0.9',
        host: `localhost:${port}`,
      });

      // A listening page receives events immediately.
      const admin = await newAdmin(gatehouse);
      const events = await listenAs(admin, `/admin/listen?client=${client.id}`);
      await events.until(() => true);
      await new Person(gatehouse).open(
        `/oauth/authorize?client_id=${client.id}&response_type=token`,
      );
      await events.until<{ attempts: unknown[] }>(({ attempts }) => attempts.length > 1);
      await events.leave();

      // Bodies up to the size of the largest picture arrive, and paths arrive unchanged.
      const straight = `http://127.0.0.1:${server.port}`;
      expect(await upload(issuer, 2_000_000)).toBe(await upload(straight, 2_000_000));
      const odd = `/admin/clients/${encodeURIComponent('https://app.example.org/client')}`;
      const page = await admin.request(odd);
      // The page itself says that there is no such app. A path with a decoded // would be answered
      // with 400.
      expect([page.status, page.headers.has('x-request-id')]).toEqual([404, true]);

      // http redirects to https.
      const plain = await fetch(`http://localhost:${plainPort}/login`, { redirect: 'manual' });
      expect(plain.headers.get('location')).toMatch(/^https:\/\/localhost/);

      // The doctor finds nothing wrong with anything on the way.
      process.env.NODE_EXTRA_CA_CERTS = certificate;
      const { stdout } = await cli(['doctor', '--json']);
      const { findings } = JSON.parse(stdout) as { findings: { check: string; is: string }[] };
      const outside = /^(public-address|proxy|well-known|cookies|certificate|clock)$/;
      const seen = findings.filter(({ check }) => outside.test(check));
      expect(seen.length).toBeGreaterThan(5);
      expect(seen.filter(({ is }) => is !== 'fine')).toEqual([]);

      const log = logOf(kind);
      expect(log).toContain('/oauth/authorize');
      for (const secret of [code, 'st-1', client.id]) expect(log).not.toContain(secret);
    } catch (error) {
      throw new Error(`${String(error)}\n${proxy.errors()}`, { cause: error });
    } finally {
      await proxy.stop();
    }
  });
});

test('the YAML for Traefik in docs/proxies.md is valid', () => {
  const blocks = readFileSync('docs/proxies.md', 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms);
  const read = [...blocks].flatMap(([, text = '']) => parseAllDocuments(text));
  expect(read.flatMap(({ errors }) => errors)).toEqual([]);
  expect(read.map((each) => Object.keys(each.toJS()))).toEqual([['http'], ['accessLog']]);
});
