import { type Html, html } from '../../http/html.ts';
import { facts, foreignPage } from '../foreign-page.ts';
import { short, written } from '../transcript.ts';
import type { Step } from './journal.ts';
import type { Json } from './party.ts';

/** How far the demo of the agent has come. */
export type Standing = 'new' | 'allowed' | 'acted' | 'stopped';

type AgentPage = {
  standing: Standing;
  /** Addresses of the pages at both servers that list the account's apps. */
  accounts: { home: string; railway: string };
  dashboard: string;
  /** When the railway's token expires; null if there is no valid one. */
  ticketUntil: Date | null;
  steps: readonly Step[];
};

const stages = ['Asked', 'Allowed', 'Acted', 'Stopped'];
const reached: Record<Standing, number> = { new: 0, allowed: 2, acted: 3, stopped: 4 };

const titles: Record<Standing, string> = {
  new: 'An agent that plans your journeys',
  allowed: 'It may act for you now',
  acted: 'Done: a day found, a train booked',
  stopped: 'It was stopped',
};

/**
 * What the agent is, how far the demo has come, and what the agent, the APIs and both servers did.
 */
export function agentPage(page: AgentPage): string {
  const { standing, steps } = page;
  return foreignPage(
    'Trip agent',
    titles[standing],
    html`<section>${standing === 'stopped' && html`<p class="stamp bad">Stopped</p>`}<h1>${titles[standing]}</h1>
<p>${stages.map((stage, at) => html`${at > 0 && ' → '}${at < reached[standing] ? html`<b>✓ ${stage}</b>` : stage}`)}</p>
${sayings(page)}${choices(page)}
<p><a href="${page.dashboard}">The agent in Home’s dashboard</a>, for its admin</p></section>
<section><h2>What happened</h2>${steps.length === 0 ? html`<p>Nothing yet. The terminal tells the same, with every request.</p>` : html`<ol>${steps.map(stepOf)}</ol>`}</section>`,
  );
}

function sayings({ standing, ticketUntil, accounts }: AgentPage): Html {
  if (standing === 'new')
    return html`<p>It finds a day on which you have time, and books a train. For that it asks Home, where you sign in, whether it may: as itself, for you.</p>`;
  if (standing === 'allowed')
    return html`<p>You have allowed it at Home. It has done nothing so far. Nobody has to be there when it acts.</p>`;
  if (standing === 'acted')
    return html`<p>It called Scheduler, which asked Calendar for you by a token of its own. Tickets belong to another company, Railway: Home told it who you are.</p>
<p><a href="${accounts.home}">Your account at Home</a> shows who acts for you. Remove Trip agent there, come back, and let it act again.</p>`;
  return html`<p>Everything Home gave ended immediately: the tokens of the agent and of Scheduler, and Home’s identity assertions.</p>
${
  ticketUntil
    ? html`<p>What Railway had given before is good until ${ticketUntil.toISOString().slice(11, 19)} UTC: Home cannot call it back, so it is short. You need not wait: go on with Home at <a href="${accounts.railway}">your account at Railway</a> and remove the agent there, too.</p>`
    : html`<p>What Railway had given before has ended, too.</p>`
}`;
}

function choices({ standing }: AgentPage): Html {
  const act = (label: string) =>
    html`<li class="first"><form method="post" action="/act"><button class="go wide">${label}</button></form><small>It needs no one’s help for that.</small></li>`;
  const ask = html`<li${standing === 'new' ? html` class="first"` : ''}><a class="go" href="/start">${standing === 'stopped' ? 'Ask again' : 'Ask me'}</a><small>Home asks you whether to allow it.</small></li>`;
  return html`<ol>${standing !== 'new' && act(standing === 'allowed' ? 'Act' : 'Act again')}${(standing === 'new' || standing === 'stopped') && ask}</ol>`;
}

function stepOf({ says, clause, exchange, reads, refused }: Step): Html {
  const { method, path, at, status } = exchange;
  const asked = method && `${method} ${path} at ${at}${status === undefined ? '' : ` → ${status}`}`;
  return html`<li class="step"><p${refused && html` class="bad"`}>${says}</p>
<small>${[clause, asked].filter(Boolean).join(' · ')}</small>${reads && readOf(reads, !asked)}</li>`;
}

/** A party's response is shown right away; the content of a token only on request. */
function readOf({ what, values }: NonNullable<Step['reads']>, isAnswer: boolean): Html {
  const shown = facts(masked(Object.entries(values)));
  return isAnswer ? shown : html`<details><summary>${what}</summary>${shown}</details>`;
}

const masked = (values: [string, unknown][]): Json =>
  Object.fromEntries(values.map(([name, value]) => [name, short(name, written(value))]));
