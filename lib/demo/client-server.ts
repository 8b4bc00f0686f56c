import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { attempts, ClientApp } from './client-app.ts';
import { type Result, resultPage, welcomePage } from './client-page.ts';
import { type Door, newDoor, openDoor, redirect } from './door.ts';
import { style } from './foreign-page.ts';
import type { Instance } from './instance.ts';

export type Served = {
  /** The app that people try in the browser; no one has allowed it yet. */
  app: ClientApp;
  /** A separate app, which the transcript shows. */
  terminal: ClientApp;
  /** Signs a browser in as the admin, once. */
  adminLink: string;
  close: () => void;
};

/**
 * Starts the app on a free port, registered at the server. The same port also has the admin's
 * sign-in link.
 */
export async function serveClient(instance: Instance): Promise<Served> {
  const server = createServer((request, response) => {
    answer(app, door, request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const redirectUri = `${origin}/callback`;
  const own = await instance.createClient(['--name', 'Demo Notes', '--redirect-uri', redirectUri]);
  const shown = await instance.createClient([
    '--name',
    'Pelican Post',
    '--description',
    'Postcards for people you like',
    '--redirect-uri',
    redirectUri,
    '--require-pkce',
  ]);
  const app = new ClientApp(origin, instance.origin, { ...shown, redirectUri });
  const terminal = new ClientApp(origin, instance.origin, { ...own, redirectUri });
  const { door, adminLink } = newDoor(instance, port);
  return { app, terminal, adminLink, close: () => server.close() };
}

async function answer(
  app: ClientApp,
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', app.origin);
  const attempt = attempts.find((one) => url.pathname === `/start/${one}`);
  if (url.pathname === '/admin') return openDoor(door, url, app.server, response);
  if (attempt) return redirect(response, app.server + app.authorizationRequest(attempt).path);
  if (url.pathname === '/style.css') {
    response.setHeader('Content-Type', 'text/css; charset=utf-8').end(style);
    return;
  }
  const dashboard = `${app.server}/admin/clients/${app.client.id}`;
  const page =
    url.pathname === '/callback'
      ? resultPage(await resultOf(app, url.searchParams), dashboard)
      : welcomePage(dashboard);
  response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
}

async function resultOf(app: ClientApp, query: URLSearchParams): Promise<Result> {
  const waiting = app.take(query);
  const answer = Object.fromEntries(query);
  if (!waiting)
    return returned(
      'Nobody asked for this response',
      'Its state or issuer isn’t one this app is waiting for.',
    );
  if (query.has('error'))
    return returned('No access', 'Gatehouse sent you back with an error, and says why.', [
      'In the address',
      answer,
    ]);
  const form = app.tokenRequest(query, waiting);
  const tokens = await readJson(
    fetch(`${app.server}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) }),
  );
  if ('error' in tokens)
    return returned('No token', 'You allowed it, but Gatehouse gave the app no token.', [
      'From /oauth/token',
      tokens,
    ]);
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  const person = await readJson(fetch(`${app.server}/oauth/me`, { headers }));
  return {
    good: true,
    stamp: 'Delivered',
    title: `Hello, ${person.name ?? person.username}`,
    text: 'This is what the app learned about you. A real app never shows its tokens.',
    heard: [
      ['From /oauth/me', person],
      ['From /oauth/token', tokens],
    ],
  };
}

const returned = (title: string, text: string, ...heard: Result['heard']): Result => ({
  good: false,
  stamp: 'Returned',
  title,
  text,
  heard,
});

async function readJson(asked: Promise<Response>): Promise<Record<string, unknown>> {
  return (await (await asked).json()) as Record<string, unknown>;
}
