import { describe, expect, test } from 'vitest';
import { clientKinds, startOf } from '#lib/management/client/client-kinds.ts';
import {
  type ClientChange,
  type ClientRecord,
  createClient,
} from '#lib/management/client/clients.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { clientOf, fillRecipe } from '#lib/recipes/fill.ts';
import { allRecipes } from '#lib/recipes/list.ts';
import { actor } from '../management/people.ts';
import { credentials, sampleAnswers } from '../recipes/samples.ts';
import { type Answer, me, post } from '../support/app.ts';
import { askTokens, decideOn, startDevice } from '../support/devices.ts';
import { openServer } from '../support/open-server.ts';
import { newPkce, type TestClient } from '../support/seed.ts';
import { newPerson } from './visit.ts';

// A client may use everything it is given: nothing that it has is refused later.
const server = await openServer();
const peoplesScopes = ['openid', 'profile', 'email', 'groups', 'offline_access'];

type Made = { client: ClientRecord; given: TestClient; proof: Record<string, string> };

async function make(change: ClientChange): Promise<Made> {
  const { client, secret } = await createClient({ ...change, name: 'App' }, actor, new Date());
  const given = { id: client.id, secret: secret ?? '', redirectUri: client.redirectUris[0] ?? '' };
  const proof = { client_id: client.id, ...(secret && { client_secret: secret }) };
  return { client, given, proof };
}

const asToken = (answer: Answer) => {
  expect(answer.body).toMatchObject({ access_token: expect.any(String) });
  return answer.body as { access_token: string; refresh_token?: string; scope: string };
};

/** The tokens of a user who allowed everything that the client may ask for. */
async function tokensByCode({ client, given, proof }: Made, scope: string) {
  const { person } = await newPerson(server);
  const { verifier, challenge } = newPkce();
  const code = await person.code({
    client_id: given.id,
    response_type: 'code',
    redirect_uri: given.redirectUri,
    scope,
    ...challenge,
  });
  const asked = { ...proof, grant_type: 'authorization_code', code, code_verifier: verifier };
  const answer = await post(server, '/oauth/token', { ...asked, redirect_uri: given.redirectUri });
  expect(client.grants).toContain('authorization_code');
  return asToken(answer);
}

async function tokensByDevice({ given }: Made, scope: string) {
  const { person } = await newPerson(server);
  await person.signIn();
  const started = await startDevice(server, given, { scope });
  await decideOn(person, started);
  return asToken(await askTokens(server, given, started));
}

/**
 * Requests user information and, as long as there are refresh tokens, does the same with the
 * refreshed tokens.
 */
async function tryTokens({ client, proof }: Made, first: Awaited<ReturnType<typeof tokensByCode>>) {
  expect((await me(server, first.access_token)).status).toBe(200);
  expect(first.refresh_token !== undefined).toBe(client.grants.includes('refresh_token'));
  let { refresh_token } = first;
  for (let times = 0; times < 2 && refresh_token; times += 1) {
    const asked = { ...proof, grant_type: 'refresh_token', refresh_token };
    const next = asToken(await post(server, '/oauth/token', asked));
    expect((await me(server, next.access_token)).status).toBe(200);
    refresh_token = next.refresh_token;
  }
}

async function tryEverything(made: Made): Promise<void> {
  const { client, given, proof } = made;
  if (client.grants.includes('client_credentials')) {
    const asked = { ...proof, grant_type: 'client_credentials' };
    const { access_token } = asToken(await post(server, '/oauth/token', asked));
    const live = await post(server, '/oauth/introspect', { ...proof, token: access_token });
    expect(live.body).toMatchObject({ active: true, client_id: given.id });
  }
  const waysOfPeople = { authorization_code: tokensByCode, [deviceGrant]: tokensByDevice };
  for (const [grant, tokens] of Object.entries(waysOfPeople)) {
    if (!client.grants.some((one) => one === grant)) continue;
    const scopes = client.scopes ?? peoplesScopes;
    // A request for fewer scopes also gets a refresh token.
    for (const asked of [scopes, scopes.filter((scope) => scope !== 'offline_access')]) {
      const answer = await tokens(made, asked.join(' '));
      expect(answer.scope.split(' ').sort()).toEqual([...asked].sort());
      await tryTokens(made, answer);
    }
  }
}

const signsPeopleIn = ({ grants }: ClientRecord) =>
  grants.some((grant) => grant === 'authorization_code' || grant === deviceGrant);

// A guarded app asks for no tokens: its proxy does everything (endpoints/guard).
describe('the client of a recipe can use its grants and scopes:', () => {
  const speaking = allRecipes().filter(({ guard }) => !guard);
  test.each(speaking.map((recipe) => [recipe.id, recipe] as const))('%s', async (_, recipe) => {
    const answers = sampleAnswers(recipe);
    const made = await make(clientOf(recipe, answers));
    await tryEverything(made);
    if (signsPeopleIn(made.client)) expect(made.client.grants).toContain('refresh_token');
    const texts = fillRecipe(recipe, answers, credentials).map(({ text }) => text);
    const printed = texts.join('\n').match(/\b(?:openid|groups|offline_access)\b/g) ?? [];
    expect(made.client.scopes).toEqual(expect.arrayContaining(printed));
  });
});

describe('the client of a kind of app can use its grants and scopes:', () => {
  test.each(clientKinds.filter((kind) => kind !== 'guarded'))('%s', async (kind) => {
    const start = startOf(kind);
    const leadsBack = start.grants?.includes('authorization_code');
    const redirectUris = leadsBack ? [`https://${kind}.example/callback`] : [];
    const made = await make({ ...start, redirectUris });
    await tryEverything(made);
    if (!signsPeopleIn(made.client)) return;
    expect(made.client.grants).toContain('refresh_token');
    expect(made.client.scopes ?? peoplesScopes).toEqual(expect.arrayContaining(peoplesScopes));
  });
});
