import { randomBytes } from 'node:crypto';
import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { judgeAccess } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { readOwnForm } from '#lib/interaction/form.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import { authorizationParams, type Trial, trialCookie } from '#lib/interaction/trial.ts';
import { mayAskFor, readConsentWord } from '#lib/oauth/api.ts';
import type { Client } from '#lib/oauth/client.ts';
import { refusePage } from '#lib/oauth/errors.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { listApis } from '#lib/store/apis.ts';
import { audit } from '#lib/store/audit.ts';
import { findClient } from '#lib/store/clients.ts';
import { clientPage } from '../../../addresses.ts';

const random = () => randomBytes(32).toString('base64url');

/** Starts a trial of an app: a real authorization request, sent by the admin's own browser. */
export async function submitTrial(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readOwnForm(request);
  const clientId = first(fields, 'client') ?? '';
  const { session } = await readSession(request, now);
  const access = judgeAccess(session, 'fresh-admin', now);
  if (!('session' in access)) {
    if (access.refused === 'not-allowed') refusePage('not_found', 'Only admins try apps.');
    return redirect(signInAt(clientPage(clientId, 'try')));
  }
  const client = await findClient(clientId);
  const redirectUri = first(fields, 'redirect_uri') ?? client?.redirectUris[0] ?? '';
  if (!client?.redirectUris.includes(redirectUri))
    refusePage('not_found', 'There is no such app, or it has no such redirect URI.');
  const asked = await askedOfApis(fields.get('api') ?? [], client);
  const trial: Trial = {
    clientId: client.id,
    session: access.session.hash,
    redirectUri,
    scope: [...new Set([...(fields.get('scope') ?? []), ...asked.scopes])].join(' '),
    resources: asked.resources,
    state: random(),
    nonce: random(),
    verifier: random(),
  };
  const cookie = await trialCookie(trial, request, now);
  // Browsers drop longer cookies.
  if (cookie.length > 4000) refusePage('too_large', 'Too many scopes and APIs for one request.');
  const actor = actorAt(request, access.session.user.id);
  await audit(eventBy(actor, 'client.tried', { clientId: client.id }), now);
  return redirect(`/oauth/authorize?${new URLSearchParams(authorizationParams(trial))}`, [cookie]);
}

/**
 * The APIs and scopes that the request asks for. A scope also names its API, without which it means
 * nothing.
 */
async function askedOfApis(words: readonly string[], client: Client) {
  const apis = (await listApis()).filter((api) => mayAskFor(api, client));
  const meant = words.map(
    (word) =>
      readConsentWord(word, apis) ??
      refusePage('not_found', 'There is no such API or scope, or this app may not ask for it.'),
  );
  return {
    resources: [...new Set(meant.map(({ api }) => api.identifier))],
    scopes: meant.flatMap(({ scope }) => scope?.name ?? []),
  };
}
