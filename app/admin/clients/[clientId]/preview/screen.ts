import { previewClaims } from '#lib/endpoints/preview.ts';
import { matchUser } from '#lib/management/candidates.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { listScopes } from '#lib/management/scope/scopes.ts';
import { mayAsk } from '#lib/oauth/scope.ts';
import { findClient } from '#lib/store/clients.ts';
import { findGrant } from '#lib/store/grants.ts';

type Query = Readonly<Record<string, string>>;

export const scopeField = (scope: string) => `scope-${scope}`;
const usual = ['openid', 'profile', 'email'];

/** The chosen person, the ticked scopes, and what the app would get with them. */
export async function readPreview(client: ClientRecord, query: Query, now: Date) {
  const offered = (await listScopes()).filter((scope) => mayAsk(client, scope));
  const scopes = offered.map(({ name }) => name);
  const chosen = scopes.filter((name) => isChosen(query, name));
  const typed = query.person?.trim();
  const meant = typed ? await matchUser(typed) : null;
  const person = meant && 'one' in meant ? meant.one : null;
  const told = person && (await readTold(client.id, person.id, chosen, now));
  return { scopes, chosen, typed: person?.label ?? typed, meant, person, told };
}

/** Initially the scopes that most apps ask for are ticked. */
const isChosen = (query: Query, scope: string) =>
  query.chosen ? query[scopeField(scope)] === 'on' : usual.includes(scope);

async function readTold(clientId: string, userId: string, scopes: string[], now: Date) {
  const registered = await findClient(clientId);
  const claims = registered && (await previewClaims(registered, userId, scopes, now));
  if (!claims) return null;
  return { ...claims, allowed: (await findGrant(userId, clientId))?.scopes ?? null };
}

export type Preview = Awaited<ReturnType<typeof readPreview>>;
