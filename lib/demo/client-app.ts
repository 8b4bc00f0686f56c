import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Html, html } from '../http/html.ts';
import type { DemoClient, Instance } from './instance.ts';

/** A small app that signs people in by OAuth: everything a client has to do is in this file. */
export class ClientApp {
  readonly origin: string;
  readonly server: string;
  readonly client: DemoClient;
  /** What was sent off, by `state`: an answer without it was not asked for. */
  readonly #waiting = new Map<string, { verifier: string }>();

  constructor(origin: string, server: string, client: DemoClient) {
    this.origin = origin;
    this.server = server;
    this.client = client;
  }

  /** Where the app sends the browser (RFC 6749 section 4.1.1, with PKCE of RFC 7636). */
  authorizationRequest(): { path: string; state: string } {
    const [state, verifier] = [
      randomBytes(12).toString('base64url'),
      randomBytes(32).toString('base64url'),
    ];
    this.#waiting.set(state, { verifier });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.client.id,
      redirect_uri: this.client.redirectUri,
      scope: 'profile email',
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return { path: `/oauth/authorize?${query}`, state };
  }

  /** The token request that belongs to an answer (section 4.1.3), or null for an answer that was not asked for. */
  tokenRequest(answer: URLSearchParams): Record<string, string> | null {
    const waiting = this.#waiting.get(answer.get('state') ?? '');
    this.#waiting.delete(answer.get('state') ?? '');
    if (!waiting || answer.get('iss') !== this.server) return null;
    return {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: this.client.redirectUri,
      client_id: this.client.id,
      client_secret: this.client.secret,
      code_verifier: waiting.verifier,
    };
  }
}

/** Starts the app on a free port, registered at the server. */
export async function startClientApp(
  instance: Instance,
): Promise<{ app: ClientApp; close: () => void }> {
  const server = createServer((request, response) => void answer(app, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = new ClientApp(
    origin,
    instance.origin,
    await instance.createClient(`${origin}/callback`),
  );
  return { app, close: () => server.close() };
}

async function answer(
  app: ClientApp,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', app.origin);
  if (url.pathname === '/sign-in') {
    response.writeHead(303, { Location: app.server + app.authorizationRequest().path }).end();
    return;
  }
  const main = url.pathname === '/callback' ? await callback(app, url.searchParams) : welcome;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page(app, main).toString());
}

const welcome = html`<h1 class="gh-title">Demo Notes</h1>
<p class="gh-text">An app that knows nobody until you sign in with Gatehouse.</p>
<a class="gh-button gh-button-primary gh-wide gh-apart" href="/sign-in">Sign in with Gatehouse</a>`;

async function callback(app: ClientApp, query: URLSearchParams): Promise<Html> {
  const again = html`<a class="gh-button gh-button-primary gh-wide gh-apart" href="/sign-in">Sign in again</a>`;
  if (query.has('error')) {
    return html`<h1 class="gh-title">No access</h1>${facts(Object.fromEntries(query))}${again}`;
  }
  const form = app.tokenRequest(query);
  if (!form) return html`<h1 class="gh-title">Nobody asked for this response</h1>${again}`;
  const tokens = await readJson(
    fetch(`${app.server}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) }),
  );
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  const person = await readJson(fetch(`${app.server}/oauth/me`, { headers }));
  return html`<h1 class="gh-title">Hello, ${String(person.name ?? person.username)}</h1>
<p class="gh-text">From <code>/oauth/me</code>:</p>${facts(person)}
<p class="gh-text">From <code>/oauth/token</code>; a real app shows these to nobody:</p>${facts(tokens)}${again}`;
}

async function readJson(asked: Promise<Response>): Promise<Record<string, unknown>> {
  return (await (await asked).json()) as Record<string, unknown>;
}

function facts(values: Record<string, unknown>): Html {
  const rows = Object.entries(values).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${String(value)}</dd></div>`,
  );
  return html`<div class="gh-facts"><dl>${rows}</dl></div>`;
}

function page({ server }: ClientApp, main: Html): Html {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Demo Notes</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="${server}/gatehouse.css"></head>
<body><div class="gh-gate"><header class="gh-gate-head"></header><main class="gh-card">${main}</main></div></body></html>`;
}
