import { barredFrom } from '../access/held.ts';
import { passageOf } from '../access/visitor.ts';
import { checkAuthorizationRequest, checkRecipient } from '../oauth/authorization-request.ts';
import { readAskedClaims } from '../oauth/claims.ts';
import type { Client } from '../oauth/client.ts';
import { isRefusal, type Refusal } from '../oauth/errors.ts';
import type { Params } from '../oauth/params.ts';
import { judgeConsent, judgeSignIn } from '../oauth/sign-in-asked.ts';
import { apisAt } from '../store/apis.ts';
import { type Asked, askedLately } from '../store/asked-lately.ts';
import { clientAt } from '../store/clients.ts';
import { readRevision } from '../store/engine/revision.ts';
import { scopesAt } from '../store/scopes.ts';
import { settingsAt } from '../store/settings.ts';
import { currentGrant } from '../store/withdrawals.ts';

/** How a request is answered: `is` stays the same if only the wording changes. */
type Verdict = { is: string; says: string };

/** An attempt that led to a code, and how this version would answer the same request. */
export type Answered = {
  attempt: string;
  at: string;
  clientId: string;
  app: string;
  verdict: Verdict;
};

/** Beyond this number the oldest are left out. */
export const mostAnswered = 10_000;

/**
 * Answers again the authorization requests that got a code since a moment, by the state of this
 * database and as of the time of each request: whether the request is valid, whether the person
 * passes and is asked for consent, and whether the tokens would still work. Parts of a request that
 * are not stored (`prompt`, `max_age`, whether it was pushed) are assumed to be acceptable.
 */
export async function answerAgain(since: Date): Promise<Answered[]> {
  const revision = await readRevision();
  const answered: Answered[] = [];
  for (const asked of await askedLately(since, mostAnswered))
    answered.push({
      attempt: asked.id,
      at: asked.createdAt.toISOString(),
      clientId: asked.clientId,
      app: asked.appName,
      verdict: await judge(asked, revision),
    });
  return answered;
}

async function judge(asked: Asked, revision: number): Promise<Verdict> {
  try {
    return await judgeRequest(asked, revision);
  } catch (error) {
    if (isRefusal(error)) return refused(error);
    throw error;
  }
}

const refused = ({ code, reason, facts }: Refusal, at = ''): Verdict => ({
  is: [at, code, facts?.rule].filter(Boolean).join(' '),
  says: `${at && `${at}: `}${reason}`,
});

/** @throws Refusal if the request is refused */
async function judgeRequest(asked: Asked, revision: number): Promise<Verdict> {
  const settings = await settingsAt(revision);
  const params = paramsOf(asked);
  const { client, target } = checkRecipient(
    params,
    await clientAt(revision, asked.clientId),
    settings,
  );
  const request = checkAuthorizationRequest(params, client, {
    scopes: await scopesAt(revision),
    apis: await apisAt(revision),
    settings,
    pushed: true,
  });
  const { userId, authTime, amr, hasFactor, address, createdAt } = asked;
  const visitor = {
    session: { user: { id: userId, hasFactor }, authTime, signedInAt: authTime, amr },
    settings,
    address: address ?? '',
    isShared: false,
  };
  const passage = await passageOf(client, visitor, (person) =>
    judgeSignIn({ request, client, startedAt: createdAt }, person, createdAt),
  );
  if ('refusal' in passage) return refused(passage.refusal, passage.page);
  if (passage.page === 'login') return { is: 'login', says: 'asked to sign in again' };
  const grant = await currentGrant(userId, client.id, createdAt);
  const step = judgeConsent(request, client, target, grant?.remembered ?? []);
  return (await judgeTokens(asked, client)) ?? given[step];
}

const given = {
  code: { is: 'code', says: 'given a code' },
  consent: { is: 'consent', says: 'asked whether the app may' },
} as const;

/** The refusal that its tokens would get; null if none. */
async function judgeTokens(asked: Asked, client: Client): Promise<Verdict | null> {
  const barred = await barredFrom(client, asked, 'kept', asked.createdAt);
  return barred && refused(barred.refusal, 'tokens');
}

/** The parameters of a request, as far as they are stored. */
function paramsOf(asked: Asked): Params {
  const claims = readAskedClaims(asked.claims);
  const wanted = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, null]));
  const sent: [name: string, value: string | null | undefined][] = [
    ['client_id', asked.clientId],
    ['redirect_uri', asked.redirectUri],
    ['response_type', 'code'],
    ['scope', asked.scope || null],
    ['state', asked.hasState ? 'kept as a hash alone' : null],
    ['code_challenge', asked.codeChallenge],
    ['code_challenge_method', asked.codeChallenge && 'S256'],
    ['nonce', asked.nonce],
    [
      'claims',
      claims &&
        JSON.stringify({
          userinfo: wanted(claims.userinfo),
          id_token: { ...wanted(claims.idToken), ...(claims.acr && { acr: claims.acr }) },
        }),
    ],
  ];
  const params = new Map(
    sent.flatMap(([name, value]): [string, string[]][] => (value ? [[name, [value]]] : [])),
  );
  const resources = asked.resources.split(' ').filter(Boolean);
  return resources.length > 0 ? params.set('resource', resources) : params;
}
