import { type Answer, Browser } from '../browser.ts';
import { expectLocation, headingOf } from '../flow.ts';
import { explain, note, title } from '../transcript.ts';
import type { Acted } from './agent.ts';
import { ticketLife } from './files.ts';
import type { Scene } from './scene.ts';

/** The person's browser: a `Browser` for each of the two servers that it visits. */
type Browsers = { home: Browser; railway: Browser };

/**
 * Asked, allowed, acted, stopped: walks through all of it as a person with a browser would, and
 * explains it.
 * @throws Error when a response is not the expected one
 */
export async function runAgents(scene: Scene): Promise<void> {
  const { home, railway } = scene.world;
  const browsers = {
    home: new Browser(home.issuer, home.name),
    railway: new Browser(railway.issuer, railway.name),
  };
  await becomeKnown(browsers, scene);
  await ask(browsers.home, scene);
  title('Acted');
  expectActed(await scene.act(), { atHome: true, atRailway: true });
  await stopAtHome(browsers.home, scene);
  await stopAtRailway(browsers.railway, scene);
  scene.agent.forget();
  scene.journal.clear();
  note('');
  note('It was asked, allowed, acted and was stopped: every response was as expected.');
}

/** Gives one person an account on both servers, linked with each other. */
async function becomeKnown(browsers: Browsers, { home: { person } }: Scene): Promise<void> {
  title('Before: one person, two servers (→ request, ← answer)');
  explain(
    'Dora wants an account at Railway, and goes on with Home there. (OpenID Connect Core 3.1)',
  );
  await browsers.railway.visit('/login', headingOf);
  const sent = await browsers.railway.visit('/login/with/home');
  explain('Home asks her to sign in. Railway never sees the password.');
  const asked = await browsers.home.visit(pathOf(sent));
  const login = await browsers.home.visit(expectLocation(asked.location, '/login'), headingOf);
  const signedIn = await browsers.home.submit(login, '/login/submit', person);
  const back = await browsers.home.visit(expectLocation(signedIn.location, '/oauth/continue'));
  explain('Railway makes her account, linked with who she is at Home.');
  const come = await browsers.railway.visit(pathOf(back));
  const form = await browsers.railway.visit(expectLocation(come.location, '/login/new'), headingOf);
  const made = await browsers.railway.submit(form, '/login/new/submit', {
    username: 'dora',
    name: 'Dora Demo',
  });
  expectLocation(made.location, '/account');
}

async function ask(browser: Browser, { agent }: Scene): Promise<void> {
  title('Asked');
  explain(
    'Trip agent sends Dora’s browser to Home, and names what it will need: Scheduler, and Calendar, which Scheduler will ask. (RFC 6749 section 4.1.1, RFC 7636, RFC 8707 section 2)',
  );
  const begun = await browser.visit(agent.authorizationRequest());
  explain('She reads that it is an agent, who answers for it, and what it wants.');
  const consent = await browser.visit(expectLocation(begun.location, '/consent'), agentOf);
  title('Allowed');
  explain('She allows it. Her browser carries a code back to the agent.');
  const allowed = await browser.submit(consent, '/consent/submit', { decision: 'allow' });
  const answer = new URL(expectLocation(allowed.location, agent.redirectUri));
  if (!(await agent.redeem(answer.searchParams))) throw new Error('The agent got no tokens.');
}

async function stopAtHome(browser: Browser, scene: Scene): Promise<void> {
  const { agent, act } = scene;
  explain('Dora looks at her account: who acts for her, and through whom.');
  const apps = await browser.visit('/account/apps', treeOf);
  title('Stopped');
  explain('One press: she removes the app that she allowed. What came of it ends with it.');
  const removed = await browser.submit(apps, '/account/apps/submit', { client_id: agent.party.id });
  expectLocation(removed.location, '/account/apps');
  expectActed(await act(), { atHome: false, atRailway: true });
  note('');
  note('Ended immediately: the agent’s access and refresh tokens, what Scheduler had exchanged,');
  note('and Home’s identity assertions. Each next call was refused.');
  note(
    `Not ended: what Railway had given before. It is good for ${ticketLife} seconds in all, and Home`,
  );
  note('has no way to call it back: the draft knows none, so such tokens are short, and have no');
  note('refresh token. An API that checks JWTs by their signature alone is in the same position.');
}

async function stopAtRailway(browser: Browser, { agent }: Scene): Promise<void> {
  explain('Railway lists it among her apps as well. She does not wait, and removes it there.');
  const apps = await browser.visit('/account/apps', appsOf);
  const removed = await browser.submit(apps, '/account/apps/submit', { client_id: agent.idThere });
  expectLocation(removed.location, '/account/apps');
  if (await agent.bookAgain(new Date())) throw new Error('The agent could still act at Railway.');
}

function expectActed(acted: Acted, expected: Acted): void {
  for (const at of ['atHome', 'atRailway'] as const)
    if (acted[at] !== expected[at])
      throw new Error(`The agent ${acted[at] ? 'could' : 'could not'} act ${at}.`);
}

function pathOf({ location, status }: Answer): string {
  if (!location || !URL.canParse(location))
    throw new Error(`Expected a redirect to another server, but got ${location ?? status}.`);
  const { pathname, search } = new URL(location);
  return pathname + search;
}

const plain = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(' ,', ',')
    .trim();

/** What the consent page says about an agent. */
function agentOf(page: string): string {
  const said = /It acts for you by itself.*?<\/p>/s.exec(page)?.[0];
  if (!said) throw new Error('The consent page says nothing of an agent.');
  return `${headingOf(page)}: ${plain(said)}`;
}

/** The lines of the tree of agents that act for the person. */
function treeOf(page: string): string {
  const tree = /<section[^>]*><h4.*?<\/section>/s.exec(page)?.[0];
  if (!tree) throw new Error('The account shows nobody who acts for Dora.');
  return `(page) ${plain(tree)}`;
}

const appsOf = (page: string) =>
  `(page) ${[...page.matchAll(/<h3[^>]*>(.*?)<\/h3>/gs)].map(([, name = '']) => plain(name)).join(', ')}`;
