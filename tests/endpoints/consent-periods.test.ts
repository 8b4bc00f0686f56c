import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { findConnectedApp } from '#lib/store/connected-apps.ts';
import { write } from '#lib/store/engine/database.ts';
import { findGrant } from '#lib/store/grants.ts';
import { revokeGrants } from '#lib/store/withdrawals.ts';
import { newApi } from '../support/apis.ts';
import { me, post, refresh } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import {
  answerOf,
  authorizePath,
  forgetSentForms,
  newPerson,
  type Page,
  type Person,
} from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { newClient } from '../support/seed.ts';
import { authorizationOf } from '../support/tokens.ts';
import { newUnverifiedApp, type UnverifiedApp } from '../support/unverified-apps.ts';

const server = await openServer({});
const second = await server.secondProcess();
const day = 24 * 3600;
const inDays = (days: number) => new Date(Date.now() + days * day * 1000);
type Someone = Person & { user: { id: string } };

/** Asks a person to let an app in. Returns the page that they see, and the PKCE verifier. */
async function ask(person: Someone, app: UnverifiedApp, more: Record<string, string> = {}) {
  const { verifier, challenge } = newPkce();
  const params = { client_id: app.id, response_type: 'code', ...challenge, ...more };
  const page = await person.open(authorizePath(params));
  return { page, verifier };
}

async function redeemAt(app: UnverifiedApp, page: Page, verifier: string) {
  const { code = '' } = answerOf(page);
  return post(server, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: app.id,
    code,
    code_verifier: verifier,
    redirect_uri: app.redirectUri,
  });
}

/** Lets an app in for a period and returns its tokens. */
async function letIn(person: Someone, app: UnverifiedApp, period: string, more = {}) {
  const { page, verifier } = await ask(person, app, more);
  const done = await person.submit(page, '/consent/submit', { decision: 'allow', period });
  const { body } = await redeemAt(app, done, verifier);
  return body as { access_token: string; refresh_token: string; expires_in: number };
}

async function scene(options: Parameters<typeof newUnverifiedApp>[0] = {}) {
  return { person: await newPerson(server), app: await newUnverifiedApp(options) };
}

/** Makes a grant and everything issued on it look this many seconds older. */
async function passTime(userId: string, seconds: number): Promise<void> {
  const { endsAt } = (await findGrant(userId, await clientOf(userId))) ?? {};
  if (endsAt)
    await write('UPDATE grants SET ends_at = $2 WHERE user_id = $1', [
      userId,
      new Date(endsAt.getTime() - seconds * 1000),
    ]);
}

async function clientOf(userId: string): Promise<string> {
  const [row] = await write<{ clientId: string }>(
    'UPDATE grants SET user_id = user_id WHERE user_id = $1 RETURNING client_id',
    [userId],
  );
  return row?.clientId ?? '';
}

describe('the consent period of an app that registered itself', () => {
  test('is asked for on the consent page, and not for an app that an admin created', async () => {
    const { person, app } = await scene();
    const { page } = await ask(person, app);
    const form = page.forms.find(({ action }) => action === '/consent/submit');
    expect(form?.fields.period).toBe('until-removed');
    const ours = await newClient();
    const other = await person.open(authorizePath({ client_id: ours.id, response_type: 'code' }));
    expect(other.html).not.toContain('name="period"');
  });

  test.each(['', 'always', 'once once'])(
    '"%s" is no answer: the page is shown again',
    async (period) => {
      const { person, app } = await scene();
      const { page } = await ask(person, app);
      const again = await person.submit(page, '/consent/submit', { decision: 'allow', period });
      expect(again.at).toMatch(/^\/consent\?/);
      expect(await findGrant(person.user.id, app.id)).toBeNull();
      const denied = await person.submit(again, '/consent/submit', { decision: 'deny', period });
      expect(answerOf(denied).error).toBe('access_denied');
    },
  );

  test('until removed: the consent has no end, and is not asked for again', async () => {
    const { person, app } = await scene();
    await letIn(person, app, 'until-removed');
    expect((await findGrant(person.user.id, app.id))?.endsAt).toBeNull();
    expect((await ask(person, app)).page.at).toContain('code=');
  });

  test('30 days: consent, refresh tokens and access tokens end then', async () => {
    const { person, app } = await scene({ accessTokenTtl: 40 * day, refreshTokenTtl: 40 * day });
    const tokens = await letIn(person, app, 'month');
    const row = await authorizationOf(tokens.access_token);
    const grant = await findGrant(person.user.id, app.id);
    const end = Number(grant?.endsAt?.getTime());
    expect(Math.abs(end - inDays(30).getTime())).toBeLessThan(60_000);
    expect([row.endsAt, row.idleUntil, row.keepUntil].map(Number)).toEqual([end, end, end]);
    expect(Math.abs(tokens.expires_in - 30 * day)).toBeLessThan(60);
    const renewed = await refresh(server, tokens.refresh_token, { client_id: app.id });
    expect(Number(renewed.body.expires_in)).toBeLessThanOrEqual(30 * day);
    // Meanwhile the person need not be asked again, and new tokens end with the same period.
    const { page, verifier } = await ask(person, app);
    const { body } = await redeemAt(app, page, verifier);
    expect(Number((await authorizationOf(String(body.access_token))).endsAt)).toBe(end);
    expect((await findConnectedApp(person.user.id, app.id, inDays(31)))?.id).toBeUndefined();
    const shown = textOf((await person.open('/account/apps')).html);
    expect(shown).toMatch(/until .*20\d\d/);
  });

  test('30 days: afterwards consent is asked for again, and the old tokens are refused', async () => {
    const { person, app } = await scene();
    const tokens = await letIn(person, app, 'month');
    await passTime(person.user.id, 31 * day);
    const { page } = await ask(person, app);
    expect(page.at).toMatch(/^\/consent/);
    expect(await findGrant(person.user.id, app.id)).toBeNull();
    expect((await me(server, tokens.access_token)).status).toBe(401);
    const late = await refresh(server, tokens.refresh_token, { client_id: app.id });
    expect(late.body.error).toBe('invalid_grant');
  });

  test('30 days: the cleanup ends expired consent, and its request gets no second code', async () => {
    const { person, app } = await scene();
    const { page, verifier } = await ask(person, app);
    const allow = { decision: 'allow', period: 'month' };
    const done = await person.submit(page, '/consent/submit', allow);
    const { body } = await redeemAt(app, done, verifier);
    await passTime(person.user.id, 31 * day);
    await deleteExpired(new Date());
    expect(await findGrant(person.user.id, app.id)).toBeNull();
    expect((await me(server, String(body.access_token))).status).toBe(401);
    await forgetSentForms();
    const again = await person.submit(page, '/consent/submit', allow);
    expect([again.status, again.at]).toEqual([400, '/consent/submit']);
  });

  test('once: an access token for its lifetime, no refresh, and consent is asked for again', async () => {
    const { person, app } = await scene({ accessTokenTtl: 600 });
    const tokens = await letIn(person, app, 'once', { scope: 'email' });
    expect(tokens.expires_in).toBeGreaterThan(590);
    expect((await me(server, tokens.access_token)).status).toBe(200);
    const renewed = await refresh(server, tokens.refresh_token, { client_id: app.id });
    expect([renewed.status, renewed.body.error]).toEqual([400, 'invalid_grant']);
    expect((await me(server, tokens.access_token)).status).toBe(200);
    expect((await ask(person, app, { scope: 'email' })).page.at).toMatch(/^\/consent/);
    await passTime(person.user.id, 700);
    await deleteExpired(new Date());
    expect((await me(server, tokens.access_token)).status).toBe(401);
    expect(await findGrant(person.user.id, app.id)).toBeNull();
  });

  test('once, for an API with a longer token lifetime: lasts as long, and the page says so', async () => {
    const { person, app } = await scene({ accessTokenTtl: 600 });
    const api = await newApi({ access: 'anyone', tokenFormat: 'jwt', accessTokenTtl: 7200 });
    const resource = { resource: api.identifier };
    expect(textOf((await ask(person, app, resource)).page.html)).toContain('2 hours');
    const before = Date.now();
    const { expires_in } = await letIn(person, app, 'once', resource);
    const { endsAt } = (await findGrant(person.user.id, app.id)) ?? {};
    expect(endsAt?.getTime()).toBeGreaterThanOrEqual(before + expires_in * 1000 - 1000);
    expect(expires_in).toBeGreaterThan(7000);
  });

  test('once, after a longer consent: does not shorten the longer one', async () => {
    const { person, app } = await scene();
    const lasting = await letIn(person, app, 'until-removed', { scope: 'email' });
    const { refresh_token } = await letIn(person, app, 'once', { scope: 'email phone' });
    const grant = await findGrant(person.user.id, app.id);
    expect([grant?.endsAt, grant?.remembered]).toEqual([null, ['email']]);
    const of = { client_id: app.id };
    expect((await refresh(server, refresh_token, of)).status).toBe(400);
    expect((await refresh(server, lasting.refresh_token, of)).status).toBe(200);
  });

  test('the last decision counts: 30 days can become until removed, and back', async () => {
    const { person, app } = await scene();
    await letIn(person, app, 'month', { scope: 'email' });
    await letIn(person, app, 'until-removed', { scope: 'email', prompt: 'consent' });
    expect((await findGrant(person.user.id, app.id))?.endsAt).toBeNull();
    await letIn(person, app, 'month', { scope: 'email', prompt: 'consent' });
    expect((await findGrant(person.user.id, app.id))?.endsAt).not.toBeNull();
  });

  test('is in the audit log', async () => {
    const { person, app } = await scene();
    await letIn(person, app, 'once');
    const { rows } = await listAudit({ userId: person.user.id, type: 'consent.given' });
    expect(rows[0]?.detail).toMatchObject({ period: 'once' });
  });

  test.each(['month', 'once'])(
    '%s: consent withdrawn while codes are redeemed leaves no token that works',
    async (period) => {
      for (let round = 0; round < 4; round += 1) {
        const { person, app } = await scene();
        const asked: { code: string; verifier: string }[] = [];
        for (let each = 0; each < 3; each += 1) {
          const { page, verifier } = await ask(person, app, {
            state: randomBytes(4).toString('hex'),
            prompt: 'consent',
          });
          const answer = { decision: 'allow', period };
          asked.push({
            verifier,
            code: answerOf(await person.submit(page, '/consent/submit', answer)).code ?? '',
          });
        }
        const redeem = ({ code, verifier }: (typeof asked)[number], index: number) =>
          post(index % 2 ? second : server, '/oauth/token', {
            grant_type: 'authorization_code',
            client_id: app.id,
            code,
            code_verifier: verifier,
            redirect_uri: app.redirectUri,
          });
        const [answers] = await Promise.all([
          Promise.all(asked.map(redeem)),
          revokeGrants({ userId: person.user.id, clientId: app.id }, new Date()),
        ]);
        for (const { status, body } of answers) {
          expect([200, 400]).toContain(status);
          if (status !== 200) continue;
          expect((await me(second, String(body.access_token))).status).toBe(401);
          const late = await refresh(server, String(body.refresh_token), { client_id: app.id });
          expect(late.body.error).toBe('invalid_grant');
        }
      }
    },
  );
});
