import { Browser } from './browser.ts';
import type { ClientApp } from './client-app.ts';
import type { Instance } from './instance.ts';
import { explain, note, show, title } from './transcript.ts';

type Json = Record<string, unknown>;

/**
 * Walks through everything this server does for an app and its user, and explains it.
 * @throws Error when a response is not the expected one
 */
export async function runFlow(instance: Instance, app: ClientApp): Promise<void> {
  const { origin } = instance;
  title('The whole flow (→ request, ← answer)');
  const answer = await allow(instance, app);
  explain(
    'The app checks state and iss, and redeems the code, from server to server, with its secret and the PKCE verifier.',
  );
  const waiting = app.take(answer);
  if (!waiting) throw new Error('This is not the response the app asked for.');
  const tokens = await postToken(origin, app.tokenRequest(answer, waiting), 200);
  explain('With the access token, the app reads who the user is.');
  await me(origin, tokens, 200);
  await refreshAndReplay(origin, tokens);
  note('');
  note('The flow is complete: every response was as expected.');
}

/** From the app's request to the response: sign-in and consent, in a browser. */
async function allow({ origin, person }: Instance, app: ClientApp): Promise<URLSearchParams> {
  const browser = new Browser(origin);
  const request = app.authorizationRequest();

  explain(
    'The app sends the browser to the authorization endpoint, with its own state and PKCE challenge.',
  );
  const begun = await browser.visit(request.path);
  explain(
    'Nobody is signed in yet, so the user gets the sign-in page. The request travels along, sealed, as "flow".',
  );
  const login = await browser.visit(expectLocation(begun.location, '/login'), headingOf);
  explain('The user signs in. The app never sees the password.');
  const signedIn = await browser.submit(login, '/login/submit', person);
  const next = await browser.visit(expectLocation(signedIn.location, '/oauth/continue'));
  explain('The user is asked whether to give this app what it wants.');
  const consent = await browser.visit(expectLocation(next.location, '/consent'), headingOf);
  explain(
    'Allowed. The browser carries a code back to the app. It lasts 30 seconds and works once.',
  );
  const allowed = await browser.submit(consent, '/consent/submit', { decision: 'allow' });
  return new URL(expectLocation(allowed.location, app.client.redirectUri)).searchParams;
}

/**
 * New tokens for old ones, a lost response, and what happens when a copied refresh token is used.
 */
async function refreshAndReplay(origin: string, first: Json): Promise<void> {
  explain(
    'Later, the access token has expired. The app uses the refresh token to get a new one, and a new refresh token with it.',
  );
  const refresh = (tokens: Json, status: number) =>
    postToken(
      origin,
      { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) },
      status,
    );
  const second = await refresh(first, 200);
  explain(
    'What if that response got lost? Asking again right away returns the same one, so a bad connection signs nobody out.',
  );
  await refresh(first, 200);
  explain('The new refresh token is used. From now on, the old one is dead.');
  const third = await refresh(second, 200);
  await me(origin, third, 200);

  explain(
    'The old refresh token turns up again, so someone has a copy. It is refused, and all tokens that came from it are revoked.',
  );
  await refresh(first, 400);
  explain(
    'So the newest access token is dead, too. Thief and app are both out, and the user decides again.',
  );
  await me(origin, third, 401);
}

async function postToken(
  origin: string,
  form: Record<string, string>,
  expected: number,
): Promise<Json> {
  const response = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const body = (await response.json()) as Json;
  show({ method: 'POST', path: '/oauth/token', form, status: response.status, body });
  expectStatus('/oauth/token', response.status, expected);
  return body;
}

async function me(origin: string, tokens: Json, expected: number): Promise<void> {
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  const response = await fetch(`${origin}/oauth/me`, { headers });
  const body = (await response.json()) as Json;
  show({ method: 'GET', path: '/oauth/me', headers, status: response.status, body });
  expectStatus('/oauth/me', response.status, expected);
}

export function headingOf(page: string): string {
  const words = /<h1[^>]*>(.*?)<\/h1>/s.exec(page)?.[1]?.replace(/<[^>]+>/g, '') ?? 'a page';
  return `(page) ${words}`;
}

export function expectLocation(location: string | undefined, start: string): string {
  if (location?.startsWith(start)) return location;
  throw new Error(`Expected a redirect to ${start}, but got ${location ?? 'none'}.`);
}

function expectStatus(path: string, status: number, expected: number): void {
  if (status !== expected) throw new Error(`Expected ${expected} from ${path}, but got ${status}.`);
}
