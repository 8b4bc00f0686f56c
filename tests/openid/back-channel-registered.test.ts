import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { redeem } from '../support/app.ts';
import { openDocumentSite } from '../support/document-site.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson } from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { newRegistered } from '../support/registering.ts';
import { set } from '../support/settings.ts';
import { asking, readIdToken } from './sign-in.ts';

const site = await openDocumentSite();
const server = await openServer({ ...site.env, BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on' });
const bodyOf = async (request: IncomingMessage) =>
  Buffer.concat(await request.toArray()).toString();

test('a client that registered a backchannel_logout_uri itself gets a logout token there that it can verify', async () => {
  await set('CLIENT_REGISTRATION', 'open');
  const at = site.id('shop.client.test', '/signed-out?tenant=7');
  const heard: URLSearchParams[] = [];
  site.serve(at, (request, response) => {
    void bodyOf(request).then((body) => {
      heard.push(new URLSearchParams(body));
      response.writeHead(204).end();
    });
  });
  const client = await newRegistered(server, {
    redirect_uris: [site.id('shop.client.test', '/callback')],
    backchannel_logout_uri: at,
    backchannel_logout_session_required: true,
  });
  const person = await newPerson(server);
  const pkce = newPkce();
  const asked = asking(client, { ...pkce.challenge, redirect_uri: client.redirectUri });
  const page = await person.decide(await person.open(authorizePath(asked)), 'allow');
  const proof = { code_verifier: pkce.verifier, redirect_uri: client.redirectUri };
  const { status, body } = await redeem(server, client, answerOf(page).code ?? '', proof);
  expect(status).toBe(200);
  const { sid } = (await readIdToken(server, client, String(body.id_token))).payload;

  expect((await person.open(`/oauth/logout?id_token_hint=${body.id_token}`)).at).toBe(
    '/logout/done',
  );
  await vi.waitFor(() => expect(heard).toHaveLength(1), 20_000);
  const token = heard[0]?.get('logout_token') ?? '';
  const { protectedHeader, payload } = await readIdToken(server, client, token);
  expect(protectedHeader.typ).toBe('logout+jwt');
  expect(payload).toMatchObject({
    iss: server.issuer,
    aud: client.id,
    sub: person.user.id,
    sid,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
});
