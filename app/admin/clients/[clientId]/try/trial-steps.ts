import { z } from 'zod';
import type { RenderedRequest } from '#lib/http/next.ts';
import { openTrialAnswer, readTrial } from '#lib/interaction/trial.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { sealed } from '#lib/sealed/sealed.ts';
import { findClient } from '#lib/store/clients.ts';
import type { Session } from '#lib/store/sessions.ts';
import { callOwn, type Exchange } from './own-call.ts';

const exchange = z.object({ request: z.string(), status: z.number(), answer: z.string() });

/** The tokens of a trial, sealed. Only the page that shows them keeps them. */
export const sealedTokens = sealed(
  'trial-tokens',
  z.object({ clientId: z.string(), session: z.string(), exchange }),
  { max: 8000, bound: 'browser', life: 3600, clock: 't' },
);

/** What the page of a trial shows after a token request. */
export type TrialShown = {
  /** The latest request that was answered with tokens, or the first one if it was refused. */
  exchange: Exchange;
  idToken: { header: string; claims: { name: string; value: string }[] } | null;
  has: { access: boolean; refresh: boolean };
  /** The latest other request. */
  last: (Exchange & { call: TrialCall }) | null;
  held: string;
};

export const trialCalls = ['refresh', 'userinfo', 'introspect', 'revoke'] as const;
export type TrialCall = (typeof trialCalls)[number];

type Acting = { request: RenderedRequest; session: Session; clientId: string; now: Date };
type Tokens = { access_token?: string; refresh_token?: string; id_token?: string };

const over = (): never => refuseAdmin('trial', sentence('trial.over'));

/**
 * Redeems the code in the answer to a trial.
 * @throws AdminRefusal unless the trial is this admin's current one
 */
export async function redeemTrial(text: string, acting: Acting): Promise<TrialShown> {
  const { request, session, clientId, now } = acting;
  const trial = (await readTrial(request, session, now)) ?? over();
  const answer = (await openTrialAnswer(text, trial, now)) ?? over();
  const client = await clientOf(clientId);
  if (trial.clientId !== client.id || answer.code === undefined) over();
  const fields = {
    grant_type: 'authorization_code',
    code: answer.code ?? '',
    redirect_uri: trial.redirectUri,
    code_verifier: trial.verifier,
  };
  const { address, isShared } = request;
  const made = await callOwn({ path: '/oauth/token', client, address, isShared, fields }, now);
  return show(made, null, acting);
}

/**
 * Makes a request with the tokens that the page holds.
 * @throws AdminRefusal unless the tokens are this admin's
 */
export async function callWithTokens(
  call: TrialCall,
  heldText: string,
  acting: Acting,
): Promise<TrialShown> {
  const { request, session, now } = acting;
  const held = (await sealedTokens.open(heldText, request, now)) ?? over();
  const client = await clientOf(acting.clientId);
  if (held.clientId !== client.id || held.session !== session.hash) over();
  const { access_token: access = '', refresh_token: refresh } = tokensIn(held.exchange);
  const from = { client, address: request.address, isShared: request.isShared };
  const made = await {
    refresh: () =>
      callOwn(
        {
          ...from,
          path: '/oauth/token',
          fields: { grant_type: 'refresh_token', refresh_token: refresh ?? '' },
        },
        now,
      ),
    userinfo: () => callOwn({ ...from, path: '/oauth/me', bearer: access }, now),
    introspect: () =>
      callOwn({ ...from, path: '/oauth/introspect', fields: { token: access } }, now),
    revoke: () =>
      callOwn({ ...from, path: '/oauth/revoke', fields: { token: refresh ?? access } }, now),
  }[call]();
  const isNew = call === 'refresh' && made.status === 200;
  return isNew ? show(made, null, acting) : show(held.exchange, { ...made, call }, acting);
}

async function clientOf(clientId: string) {
  return (await findClient(clientId)) ?? over();
}

async function show(
  made: Exchange,
  last: TrialShown['last'],
  { request, session, clientId, now }: Acting,
): Promise<TrialShown> {
  const tokens = tokensIn(made);
  const sealedValue = { clientId, session: session.hash, exchange: made };
  return {
    exchange: made,
    idToken: tokens.id_token === undefined ? null : decode(tokens.id_token),
    has: { access: tokens.access_token !== undefined, refresh: tokens.refresh_token !== undefined },
    last,
    held: await sealedTokens.seal(sealedValue, request, now),
  };
}

function tokensIn({ status, answer }: Exchange): Tokens {
  return status === 200 ? (JSON.parse(answer) as Tokens) : {};
}

function decode(token: string) {
  const [header = '', claims = ''] = token
    .split('.')
    .slice(0, 2)
    .map((part) => Buffer.from(part, 'base64url').toString());
  const values = Object.entries(JSON.parse(claims) as Record<string, unknown>);
  return {
    header,
    claims: values.map(([name, value]) => ({ name, value: JSON.stringify(value) })),
  };
}
