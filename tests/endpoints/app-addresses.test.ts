import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { changeApi, newApi } from '../support/apis.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import { newAddress, register } from '../support/registering.ts';
import { newClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';
import { introspect, tokenRequest } from '../support/target.ts';
import {
  appAddresses,
  documentAddresses,
  loopbackPorts,
  resourceSpellings,
} from '../world/app-addresses.ts';

const server = await openServer();
const elsewhere = 'https://elsewhere.example/cb';

const kept = appAddresses.filter((row) => 'kept' in row);
const refused = appAddresses.filter((row) => !('kept' in row));

/** Asks with the address in a browser where nobody is signed in. */
const ask = (id: string, redirect_uri: string) =>
  new Person(server).open(
    authorizePath({ client_id: id, response_type: 'code', prompt: 'none', redirect_uri }),
  );

describe('the address of an app in an authorization request is followed as it is registered', () => {
  test.each(kept)('$address ($from)', async ({ address }) => {
    const client = await newClient({ redirectUris: [address, elsewhere] });
    const joint = address.includes('?') ? '&' : '?';
    expect((await ask(client.id, address)).at).toMatch(`${address}${joint}error=login_required`);
  });
});

test('an address that cannot be registered is refused with what to register, not with “Register it”', async () => {
  const client = await newClient({ redirectUris: [elsewhere] });
  for (const row of refused) {
    const { status, html } = await ask(client.id, row.address);
    expect([row.address, status]).toEqual([row.address, 400]);
    const text = textOf(html);
    if ('write' in row) expect(text).toContain(row.write);
    if ('reason' in row) expect(text).toMatch(row.reason);
  }
});

test.each(loopbackPorts)('registered is %s, sent is %s: %s', async (registered, sent, who) => {
  for (const type of ['public', 'confidential'] as const) {
    const client = await newClient({
      type,
      redirectUris: [registered, elsewhere],
      postLogoutRedirectUris: [registered],
    });
    const isFine = who === 'all' || who === type;
    const { at } = await ask(client.id, sent);
    expect([type, at.startsWith(sent)]).toEqual([type, isFine]);
    const bye = { client_id: client.id, post_logout_redirect_uri: sent };
    const page = await new Person(server).open(`/oauth/logout?${new URLSearchParams(bye)}`);
    expect([type, page.at.startsWith(sent)]).toEqual([type, isFine]);
  }
});

test('the address after a sign-out is followed as it is registered', async () => {
  for (const { address } of kept) {
    const client = await newClient({ postLogoutRedirectUris: [address] });
    const asked = { client_id: client.id, post_logout_redirect_uri: address };
    const page = await new Person(server).open(`/oauth/logout?${new URLSearchParams(asked)}`);
    expect(page.at).toBe(address);
  }
});

describe('the address of an app that registers itself is kept as it is written, or refused', () => {
  beforeAll(() => set('CLIENT_REGISTRATION', 'open'));

  test.each(appAddresses)('$address ($from)', async (row) => {
    for (const member of ['redirect_uris', 'post_logout_redirect_uris']) {
      const same = 'kept' in row ? row.address : elsewhere;
      const sent = { redirect_uris: [same], [member]: [row.address] };
      const { status, body } = await register(server, sent, newAddress());
      const said = `${body.error_description}`;
      if ('kept' in row) expect([status, body[member]]).toEqual([201, [row.address]]);
      else expect(status).toBe(400);
      if ('write' in row) expect(said).toContain(row.write);
      if ('reason' in row) expect(said).toMatch(row.reason);
    }
  });
});

test('a pushed request takes the same addresses', async () => {
  for (const row of appAddresses) {
    const registered = 'kept' in row ? row.address : elsewhere;
    const client = await newClient({ redirectUris: [registered] });
    const response = await fetch(`${server.base}/oauth/par`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: client.id,
        client_secret: client.secret,
        response_type: 'code',
        redirect_uri: row.address,
      }),
    });
    expect([row.address, response.status]).toEqual([row.address, 'kept' in row ? 201 : 400]);
  }
});

test.each(resourceSpellings)('an API is %s, resource is %s: %s', async (identifier, sent, same) => {
  const api = await newApi({ identifier });
  onTestFinished(() => changeApi(api.id, null));
  const client = await newClient({ grants: ['authorization_code', 'client_credentials'] });
  const person = await newPerson(server);
  const asked = { client_id: client.id, response_type: 'code', resource: sent };
  const page = await person.goThrough(await person.open(authorizePath(asked)));
  const grants: Record<string, string>[] = [
    { grant_type: 'client_credentials', resource: sent },
    { grant_type: 'authorization_code', code: answerOf(page).code ?? '', resource: sent },
  ];
  for (const grant of grants) {
    const { body } = await tokenRequest(server, client, grant);
    const { aud } = await introspect(server, client, body.access_token ?? '');
    expect([grant.grant_type, aud === identifier]).toEqual([grant.grant_type, same]);
  }
});

test.each(documentAddresses)('the address of a document as client_id: %s', async (id, write) => {
  await set('CLIENT_DOCUMENT_HOSTS', '*.client.test');
  const { status, html } = await new Person(server).open(
    authorizePath({ client_id: id, response_type: 'code', redirect_uri: elsewhere }),
  );
  expect(status).toBe(400);
  const text = textOf(html);
  if (write === null) expect(text).not.toMatch(/normal form|https address/);
  else if (typeof write === 'string') expect(text).toContain(`Write ${write}`);
  else expect(text).toMatch(write);
});
