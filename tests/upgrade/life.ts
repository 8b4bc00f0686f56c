import { post } from '../support/app.ts';
import { Authenticator } from '../support/authenticator.ts';
import { ask, codeOf, codesOn, postAnswer, secretOn } from '../support/factors.ts';
import type { TestServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { password } from '../support/seed.ts';

type Cli = (args: string[], input?: string) => Record<string, unknown>;
type Client = { client_id: string; client_secret: string };

/** What is kept outside the database: in browsers, apps, phones and people's heads. */
export type Left = Awaited<ReturnType<typeof live>>;

const uri = 'https://app.example/callback';

/** Uses a new server for a while, so that its database has something of everything. */
export async function live(server: Pick<TestServer, 'base' | 'issuer'>, cli: Cli) {
  const at = server as TestServer;
  for (const [name, more] of people)
    cli(
      [
        'user',
        'create',
        '--username',
        name,
        '--email',
        `${name}@example.org`,
        '--password',
        '-',
        ...more,
      ],
      password,
    );
  settle(cli);
  const apps = makeApps(cli);
  const ada = await signedIn(at, 'ada');
  const bob = await signedIn(at, 'bob');
  const grace = await withFactors(at, 'grace');
  const heidi = await withPasskey(at, 'heidi');
  const scope = 'openid profile groups offline_access';
  const lasting = await tokensOf(bob, apps.web, scope);
  const rotated = await twice(async () => {
    const first = await tokensOf(bob, apps.web, scope);
    return { first, second: await refreshed(at, apps.web, first.refresh_token) };
  });
  const listed = await tokensOf(ada, apps.listed, 'openid profile');
  const machine = await post(at, '/oauth/token', {
    ...apps.machine,
    grant_type: 'client_credentials',
    scope: 'photos.read',
  });
  await bob.open(
    `/oauth/authorize?response_type=code&client_id=${apps.web.client_id}&redirect_uri=https://else.example/`,
  );
  cli(['keys', 'rotate']);
  cli(['user', 'update', 'mallory', '--email', 'new@example.org']);
  const codes = await twice(() => bob.code({ ...asked(apps.web), scope: 'openid profile' }));
  return {
    at: new Date().toISOString(),
    apps,
    sessions: { ada: [...ada.cookies], bob: [...bob.cookies] },
    totp: grace,
    passkey: heidi,
    tokens: { lasting, listed, machine: machine.body as Tokens },
    rotated,
    codes,
  };
}

/** Makes two of what a test uses up, because the test may be retried. */
async function twice<T>(made: () => Promise<T>): Promise<T[]> {
  return [await made(), await made()];
}

const people: [name: string, more: string[]][] = [
  ['ada', ['--admin', '--name', 'Ada Lovelace', '--email-verified']],
  ['bob', ['--name', 'Bob ’ü漢']],
  ['grace', []],
  ['heidi', []],
  ['mallory', []],
];

function settle(cli: Cli): void {
  cli(['group', 'create', 'editors', '--description', 'They write']);
  cli(['group', 'add', 'editors', 'ada', 'bob']);
  cli(['field', 'create', 'department', '--label', 'Department', '--scope', 'profile']);
  cli(['user', 'update', 'bob', '--field', 'department=Engines']);
  cli([
    'scope',
    'create',
    'photos.read',
    '--description',
    'See your photos',
    '--description-in',
    'de=Ihre Fotos sehen',
  ]);
  cli(['settings', 'set', 'CODE_TTL', '1 hour']);
  cli(['settings', 'set', 'USERNAME_CHANGE', 'off']);
  cli(['user', 'disable', 'mallory']);
}

function makeApps(cli: Cli): { web: Client; listed: Client; machine: Client } {
  const make = (name: string, ...more: string[]): Client => {
    const { client_id, client_secret } = cli(['client', 'create', '--name', name, ...more]);
    return { client_id, client_secret } as Client;
  };
  const made = {
    web: make(
      'Web',
      '--redirect-uri',
      uri,
      '--groups-prefix',
      'ed',
      '--constant-claim',
      'plan=pro',
      '--contact',
      'bob',
    ),
    listed: make('Listed', '--redirect-uri', uri, '--access', 'listed'),
    machine: make('Machine', '--grant', 'client_credentials', '--scope', 'photos.read'),
  };
  cli(['client', 'allow', made.listed.client_id, '--user', 'ada']);
  return made;
}

export const asked = ({ client_id }: Client) => ({
  client_id,
  response_type: 'code',
  redirect_uri: uri,
});

type Tokens = { access_token: string; refresh_token: string; id_token: string };

async function tokensOf(person: Person, app: Client, scope: string): Promise<Tokens> {
  const code = await person.code({ ...asked(app), scope });
  const redeemed = { ...app, grant_type: 'authorization_code', code, redirect_uri: uri };
  return (await post(person.server, '/oauth/token', redeemed)).body as Tokens;
}

async function refreshed(server: TestServer, app: Client, refresh_token: string): Promise<Tokens> {
  const sent = { ...app, grant_type: 'refresh_token', refresh_token };
  return (await post(server, '/oauth/token', sent)).body as Tokens;
}

async function signedIn(server: TestServer, name: string): Promise<Person> {
  const person = new Person(server, name);
  const page = await person.signIn();
  if (page.at !== '/account') throw new Error(`Signing in led ${name} to ${page.at}.`);
  return person;
}

/** A person with an authenticator app and recovery codes. */
async function withFactors(server: TestServer, name: string) {
  const person = await signedIn(server, name);
  const page = await person.open('/account/security/totp');
  const secret = secretOn(page);
  const filled = { code: codeOf(secret) };
  const shown = await person.submit(page, '/account/security/totp/submit', filled);
  const codes = codesOn(shown);
  await person.submit(shown, '/account/security/codes/kept');
  return { name, secret, codes };
}

async function withPasskey(server: TestServer, name: string) {
  const person = await signedIn(server, name);
  const page = await person.open('/account/security');
  const authenticator = new Authenticator(server.issuer);
  const { options, challenge } = await ask(person, page, 'add');
  const answer = authenticator.create(options);
  await postAnswer(person, page, '/account/security/passkey/submit', answer, challenge);
  return { name, authenticator: authenticator.kept() };
}
