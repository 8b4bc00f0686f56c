import { expect, test, vi } from 'vitest';
import { logouts } from '#lib/identity/back-channel.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { listAttention, listTroubles, readFailedLogout } from '#lib/management/overview.ts';
import { failedLogoutText } from '#lib/messages/failed-logout.ts';
import { textIn } from '#lib/messages/text.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { Receiver } from '../support/logout-receiver.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { asking, openIdTokens, readIdToken, type SignedIn, signIn } from './sign-in.ts';

const server = await openServer({ BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on' });

const pending = async ({ client }: SignedIn) =>
  (await prisma()).logoutDelivery.findMany({ where: { clientId: client.id } });
const inSeconds = (count: number) => new Date(Date.now() + count * 1000);

test('back-channel logout: at the end of a session the client gets a logout token, which is no id_token_hint', async () => {
  const receiver = await new Receiver().listen();
  const signedIn = await signIn(server, { backchannelLogoutUri: receiver.uri });
  const { user, person, client, tokens } = signedIn;
  const { sid } = (await readIdToken(server, client, tokens.id_token)).payload;
  await person.open(`/oauth/logout?id_token_hint=${tokens.id_token}`);
  await vi.waitFor(async () => expect(await pending(signedIn)).toEqual([]), 20_000);
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]).toMatchObject({
    path: '/bye',
    type: 'application/x-www-form-urlencoded',
    // A new trace, which is not recorded here.
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
  });
  const { protectedHeader, payload } = await readIdToken(
    server,
    client,
    receiver.received[0]?.form.get('logout_token') ?? '',
  );
  expect(protectedHeader.typ).toBe('logout+jwt');
  expect(payload).toEqual({
    iss: server.issuer,
    aud: client.id,
    sub: user.id,
    sid,
    iat: expect.any(Number),
    exp: (payload.iat ?? 0) + 120,
    jti: expect.any(String),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  // It is not an ID token. As a hint it would let a client forge the person's consent to signing
  // out.
  const id_token_hint = receiver.received[0]?.form.get('logout_token') ?? '';
  const hinted = await person.open(
    authorizePath(asking(client, { prompt: 'none', id_token_hint })),
  );
  expect(answerOf(hinted)).toMatchObject({ error: 'invalid_request' });
});

test('back-channel logout: revoking a client’s access sends a logout token; the later sign-out sends no other', async () => {
  const receiver = await new Receiver().listen();
  const signedIn = await signIn(server, { backchannelLogoutUri: receiver.uri });
  const { user, person, client, tokens } = signedIn;
  const { sid } = (await readIdToken(server, client, tokens.id_token)).payload;
  await revokeGrants({ user: user.id, client: client.id }, { id: 'cli' }, new Date());
  await vi.waitFor(async () => expect(await pending(signedIn)).toEqual([]), 20_000);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 20_000);
  const told = receiver.received[0]?.form.get('logout_token') ?? '';
  expect((await readIdToken(server, client, told)).payload.sid).toBe(sid);
  await person.open(`/oauth/logout?id_token_hint=${tokens.id_token}`);
  await logouts.work(inSeconds(100));
  expect(receiver.received).toHaveLength(1);
});

test('back-channel logout: a client allowed again before its logout token arrived gets none until the sign-out', async () => {
  const receiver = await new Receiver().listen();
  receiver.status = 503;
  const signedIn = await signIn(server, { backchannelLogoutUri: receiver.uri });
  const { user, person, client } = signedIn;
  await revokeGrants({ user: user.id, client: client.id }, { id: 'cli' }, new Date());
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 20_000);
  const again = await openIdTokens(server, person, client);
  await logouts.work(inSeconds(100));
  expect(receiver.received).toHaveLength(1);
  expect(await pending(signedIn)).toEqual([]);
  receiver.status = 204;
  await person.open(`/oauth/logout?id_token_hint=${again.id_token}`);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 20_000);
});

test('back-channel logout: a sign-out is sent immediately, though earlier deliveries for the session failed', async () => {
  const receiver = await new Receiver().listen();
  receiver.status = 503;
  const signedIn = await signIn(server, { backchannelLogoutUri: receiver.uri });
  const { user, person, client } = signedIn;
  await revokeGrants({ user: user.id, client: client.id }, { id: 'cli' }, new Date());
  for (const at of [100, 400, 1200]) await logouts.work(inSeconds(at));
  const before = receiver.received.length;
  receiver.status = 204;
  const again = await openIdTokens(server, person, client);
  await person.open(`/oauth/logout?id_token_hint=${again.id_token}`);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(before + 1), 20_000);
  await vi.waitFor(async () => expect(await pending(signedIn)).toEqual([]), 20_000);
});

test('back-channel logout: a failed delivery is retried with a new logout token, and redirects are not followed', async () => {
  const receiver = await new Receiver().listen();
  receiver.status = 302;
  const signedIn = await signIn(server, { backchannelLogoutUri: receiver.uri });
  await signedIn.person.open(`/oauth/logout?id_token_hint=${signedIn.tokens.id_token}`);
  await vi.waitFor(async () => expect((await pending(signedIn))[0]?.attempts).toBe(1), 20_000);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 20_000);
  // This process knows about it only from the database, like one that was started later.
  receiver.status = 503;
  await logouts.work(inSeconds(100));
  receiver.status = 204;
  await logouts.work(inSeconds(130));
  expect(receiver.received).toHaveLength(2);
  await logouts.work(inSeconds(400));
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/bye']));
  const ids = receiver.received.map(({ form }) => form.get('logout_token'));
  expect(new Set(ids).size).toBe(3);
  expect(await pending(signedIn)).toEqual([]);
});

test('back-channel logout: delivery to a client that always fails is given up after six attempts', async () => {
  const receiver = await new Receiver().listen();
  receiver.status = 500;
  const signedIn = await signIn(server, { backchannelLogoutUri: receiver.uri });
  await signedIn.person.open(`/oauth/logout?id_token_hint=${signedIn.tokens.id_token}`);
  await vi.waitFor(async () => expect((await pending(signedIn))[0]?.attempts).toBe(1), 20_000);
  for (let day = 1; day <= 10; day += 1) await logouts.work(inSeconds(day * 86_400));
  expect(receiver.received).toHaveLength(6);
  await logouts.work(inSeconds(50 * 365 * 86_400));
  expect(receiver.received).toHaveLength(6);
});

test('back-channel logout: what was given up is told of until one arrives, once for each app, and for a month', async () => {
  const receiver = await new Receiver().listen();
  receiver.status = 500;
  const signedIn = await signIn(server, { backchannelLogoutUri: receiver.uri });
  const { client, person, user } = signedIn;
  const endAll = () =>
    revokeGrants({ user: user.id, client: client.id }, { id: 'cli' }, new Date());
  for (let times = 0; times < 2; times += 1) {
    await openIdTokens(server, person, client);
    await endAll();
    await vi.waitFor(async () => expect(await pending(signedIn)).not.toEqual([]), 20_000);
    for (let day = 1; day <= 10; day += 1) await logouts.work(inSeconds(day * 86_400));
  }
  const told = await readFailedLogout(client.id);
  expect(told).toMatchObject({ failure: '500', nextAt: null });
  expect(await pending(signedIn)).toHaveLength(1);
  await deleteExpired(new Date((told?.failedAt.getTime() ?? 0) + 31 * 86_400_000));
  expect(await pending(signedIn)).toEqual([]);
  await openIdTokens(server, person, client);
  await endAll();
  await vi.waitFor(async () => expect(await pending(signedIn)).not.toEqual([]), 20_000);
  for (let day = 1; day <= 10; day += 1) await logouts.work(inSeconds(day * 86_400));
  expect(await readFailedLogout(client.id)).not.toBeNull();
  receiver.status = 200;
  await openIdTokens(server, person, client);
  await endAll();
  await vi.waitFor(async () => expect(await readFailedLogout(client.id)).toBeNull(), 20_000);
  await vi.waitFor(async () => expect(await pending(signedIn)).toEqual([]), 20_000);
});

test('back-channel logout: workers that run at the same time deliver to a client once', async () => {
  const receiver = await new Receiver().listen();
  const signedIn = await signIn(server, { backchannelLogoutUri: receiver.uri });
  const db = await prisma();
  const [session] = await db.session.findMany({ where: { userId: signedIn.user.id } });
  await db.session.delete({ where: { hash: session?.hash ?? '' } });
  await db.logoutDelivery.create({
    data: {
      sessionHash: session?.hash ?? '',
      clientId: signedIn.client.id,
      userId: signedIn.user.id,
      attempts: 0,
      nextAt: new Date(0),
    },
  });
  await Promise.all([logouts.work(new Date()), logouts.work(new Date()), logouts.work(new Date())]);
  expect(receiver.received).toHaveLength(1);
});

test('back-channel logout: an app whose address fails is told of, with the status and the next try, until one arrives', async () => {
  const receiver = await new Receiver().listen();
  receiver.status = 500;
  const signedIn = await signIn(server, { backchannelLogoutUri: receiver.uri });
  const { client, person, user, tokens } = signedIn;
  expect(await readFailedLogout(client.id)).toBeNull();
  await person.open(`/oauth/logout?id_token_hint=${tokens.id_token}`);
  await vi.waitFor(async () => expect(await readFailedLogout(client.id)).not.toBeNull(), 20_000);
  const failed = await readFailedLogout(client.id);
  expect(failed).toMatchObject({ id: client.id, failure: '500' });
  expect(failed?.nextAt?.getTime()).toBeGreaterThan(failed?.failedAt.getTime() ?? 0);
  expect(JSON.stringify(failed)).not.toContain('eyJ');
  const now = new Date();
  const home = async () => (await listAttention(now, await listTroubles(now))).logouts;
  expect(await home()).toContainEqual(expect.objectContaining({ id: client.id, failure: '500' }));
  // A later sign-out arrives, while the first still waits: the address works again.
  receiver.status = 200;
  await openIdTokens(server, person, client);
  await revokeGrants({ user: user.id, client: client.id }, { id: 'cli' }, new Date());
  await vi.waitFor(async () => expect(await readFailedLogout(client.id)).toBeNull(), 20_000);
  expect(await home()).not.toContainEqual(expect.objectContaining({ id: client.id }));
});

test('back-channel logout: an app that is away is told of in words, in each language', async () => {
  const receiver = await new Receiver().listen();
  const { uri } = receiver;
  await new Promise((closed) => receiver.server.close(closed));
  const { client, person, tokens } = await signIn(server, { backchannelLogoutUri: uri });
  await person.open(`/oauth/logout?id_token_hint=${tokens.id_token}`);
  await vi.waitFor(async () => expect(await readFailedLogout(client.id)).not.toBeNull(), 20_000);
  const { failure = '' } = (await readFailedLogout(client.id)) ?? {};
  expect(failedLogoutText(textIn('en'), failure)).toMatch(
    /^can’t be reached \(ECONNREFUSED: .*\)$/,
  );
  expect(failedLogoutText(textIn('de'), failure)).toMatch(/^ist nicht erreichbar \(ECONNREFUSED: /);
  expect(failedLogoutText(textIn('de'), '500')).toBe('antwortete mit 500');
});
