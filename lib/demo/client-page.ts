import { type Html, html } from '../http/html.ts';
import { type Attempt, attempts } from './client-app.ts';
import { facts, foreignPage } from './foreign-page.ts';

/** The label of each button, and what will happen. */
const buttons: Record<Attempt, { label: string; what: string }> = {
  works: {
    label: 'Sign in',
    what: 'Everything is right. You’re asked before the app gets anything.',
  },
  'wrong-address': {
    label: 'Wrong address',
    what: 'The app sends a redirect URI with an extra slash. You stay at Gatehouse.',
  },
  'wrong-secret': {
    label: 'Wrong secret',
    what: 'You sign in, and the app redeems its code with last year’s secret.',
  },
  'no-pkce': { label: 'No PKCE', what: 'The app forgets its code challenge, which is required.' },
  denied: {
    label: 'Denied',
    what: 'You’re asked again. Choose “Deny” and see what the app is told.',
  },
};

/** The first page: what the app is, and what it can do right or wrong. */
export function welcomePage(dashboard: string): string {
  return pageOf(
    'Postcards for people you like',
    html`<section><h1>Postcards for people you like.</h1>
<p>This app knows nobody. It asks Gatehouse who you are, and you decide what it’s told.</p>
<p>Try what goes wrong, too, and look for it in <a href="${dashboard}">the dashboard</a>.</p></section>
<section><h2>Choose</h2>${choice()}</section>`,
  );
}

export type Result = {
  good: boolean;
  stamp: string;
  title: string;
  text: string;
  /** What the app received, by where it came from. */
  heard: [from: string, values: Record<string, unknown>][];
};

/** The page with the result of an attempt. */
export function resultPage({ good, stamp, title, text, heard }: Result, dashboard: string): string {
  return pageOf(
    title,
    html`<section><p class="stamp ${good ? 'good' : 'bad'}">${stamp}</p><h1>${title}</h1><p>${text}</p>
${heard.map(([from, values]) => html`<h2>${from}</h2>${facts(values)}`)}
<p><a href="${dashboard}">This app in the dashboard</a></p></section>
<section><h2>Choose again</h2>${choice()}</section>`,
  );
}

function choice(): Html {
  return html`<ol>${attempts.map(
    (attempt) =>
      html`<li${attempt === 'works' ? html` class="first"` : ''}><a class="go" href="/start/${attempt}">${buttons[attempt].label}</a><small>${buttons[attempt].what}</small></li>`,
  )}</ol>`;
}

const pageOf = (title: string, main: Html) => foreignPage('Pelican Post', title, main);
