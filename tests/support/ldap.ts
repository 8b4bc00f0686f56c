import { Client } from 'ldapts';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { openOwnServer } from './open-server.ts';
import { type ClientOptions, newClient } from './seed.ts';
import { attemptWith } from './traces.ts';

/** The base DN that follows from the issuer of test servers. */
export const baseDn = 'dc=localhost';

/** A server with an LDAP listener, and where that is. */
export async function openLdapServer(
  more: Record<string, string> = {},
  database: 'sqlite' | 'postgresql' = 'sqlite',
) {
  const port = await freePort();
  const server = await openOwnServer(database, { LDAP_PORT: String(port), ...more });
  return { ...server, ldap: { port, url: `ldap://127.0.0.1:${port}` } };
}

/** An app that uses LDAP, and the DN of its tree. */
export async function newLdapApp(options: ClientOptions = {}) {
  const client = await newClient({ ldap: true, ...options });
  return { ...client, dn: `cn=${client.id},${baseDn}` };
}

type LdapApp = Awaited<ReturnType<typeof newLdapApp>>;

/** A client of the library that Gatehouse uses for directories; it is closed after the test. */
export async function connect(url: string, app?: Pick<LdapApp, 'dn' | 'secret'>): Promise<Client> {
  const client = new Client({ url, timeout: 20_000, connectTimeout: 5000 });
  onTestFinished(() => client.unbind());
  if (app) await client.bind(app.dn, app.secret);
  return client;
}

/** The rule that refused a bind, as the attempt of the app has it. */
export async function ruleOf(bind: Promise<void>): Promise<string | null> {
  const error = (await bind.then(
    () => null,
    (thrown) => thrown,
  )) as (Error & { code: number }) | null;
  if (!error) return null;
  const [, request] = /Request (\w+)/.exec(error.message) ?? [];
  return request ? ((await attemptWith(request)).trace?.rule ?? 'none') : String(error.code);
}
