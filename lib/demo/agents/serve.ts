import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Door, newDoor, openDoor, redirect } from '../door.ts';
import { style } from '../foreign-page.ts';
import { title } from '../transcript.ts';
import { agentPage, type Standing } from './page.ts';
import type { Scene } from './scene.ts';

/** Serves the agent's pages for a browser, and the link that signs the admin of home in. */
export function serveAgent(scene: Scene): { adminLink: string } {
  const { door, adminLink } = newDoor(scene.home, Number(new URL(scene.agent.origin).port));
  const visit: Visit = { standing: 'new', door };
  scene.front.on('request', (request, response) => {
    answer(scene, visit, request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  });
  return { adminLink };
}

/**
 * How far the demo has come in the browser. There is one person, so the agent needs no sessions.
 */
type Visit = { standing: Standing; door: Door };

async function answer(
  scene: Scene,
  visit: Visit,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { agent, world, journal } = scene;
  const url = new URL(request.url ?? '/', agent.origin);
  if (url.pathname === '/admin') return openDoor(visit.door, url, world.home.issuer, response);
  if (url.pathname === '/style.css') {
    response.setHeader('Content-Type', 'text/css; charset=utf-8').end(style);
    return;
  }
  if (url.pathname === '/start') {
    title('Asked, in the browser');
    return redirect(response, world.home.issuer + agent.authorizationRequest());
  }
  if (url.pathname === '/callback') {
    journal.clear();
    if (await agent.redeem(url.searchParams)) visit.standing = 'allowed';
    return redirect(response, '/');
  }
  // Only the agent's own page can make it act, no other site.
  if (url.pathname === '/act' && request.method === 'POST' && isOwn(request, agent.origin)) {
    await letAct(scene, visit);
    return redirect(response, '/');
  }
  response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pageFor(scene, visit));
}

const isOwn = (request: IncomingMessage, origin: string) => request.headers.origin === origin;

async function letAct({ agent, journal, act }: Scene, visit: Visit): Promise<void> {
  if (!agent.isAllowed) return;
  title('Acting, in the browser');
  journal.clear();
  const { atHome } = await act();
  visit.standing = atHome ? 'acted' : 'stopped';
}

function pageFor({ agent, world, journal }: Scene, { standing }: Visit): string {
  const { home, railway } = world;
  return agentPage({
    standing,
    accounts: {
      home: `${home.issuer}/account/apps`,
      railway: `${railway.issuer}/account/apps`,
    },
    dashboard: `${home.issuer}/admin/clients/${agent.party.id}`,
    ticketUntil: agent.ticketUntil(new Date()),
    steps: journal.steps,
  });
}
