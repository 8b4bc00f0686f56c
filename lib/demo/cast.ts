import type { ClientChange } from '../management/client/clients.ts';
import { Chance } from './chance.ts';

/** The admin. Signed in by a link that the demo prints. */
export const admin = { username: 'ada', name: 'Ada Lovelace', email: 'ada@example.org' };

const first =
  'Grace Alan Katherine Dennis Barbara Edsger Radia Donald Hedy Claude Margaret Ken Frances Linus Adele Niklaus Sophie Tim Annie Vint Mary John Joan Bjarne Karen Guido Evelyn James Shafi Leslie'.split(
    ' ',
  );
const last =
  'Hopper Turing Johnson Ritchie Liskov Dijkstra Perlman Knuth Lamarr Shannon Hamilton Thompson Allen Torvalds Goldberg Wirth Wilson Berners Easley Cerf Jackson Backus Clarke Stroustrup Jones Rossum Boyd Gosling Goldwasser Lamport'.split(
    ' ',
  );

export type Person = { username: string; name: string; email: string; verified: boolean };

/** Letters that can't be confused with each other. */
const initials = 'ABCDEFGHKMNPRSTUW';
const pairs = first.length * last.length;
/** The number of different names. */
export const mostPeople = pairs * (1 + initials.length);

/**
 * Fictional people, each with a different name; after the first 900, names have a middle initial.
 */
export function people(count: number): Person[] {
  const chance = new Chance(7);
  return Array.from({ length: count }, (_, index) => {
    const given = first[index % first.length] ?? '';
    // The step is different in each round through the first names, so that no pair repeats.
    const round = Math.floor(index / first.length) % last.length;
    const family = last[(index * 7 + round * 3 + Math.floor(round / 10)) % last.length] ?? '';
    const initial = initials[Math.floor(index / pairs) - 1];
    const names = initial ? [given, initial, family] : [given, family];
    const username = names.join('.').toLowerCase();
    const name = initial ? `${given} ${initial}. ${family}` : `${given} ${family}`;
    return { username, name, email: `${username}@example.org`, verified: !chance.isOneIn(8) };
  });
}

export type App = ClientChange & {
  id: string;
  name: string;
  /** The scopes that people allow it. */
  asks: string[];
  /** The rate and kind of its failures. */
  trouble?: { percent: number; why: 'secret' | 'reuse' | 'address' };
};

const web = (id: string, name: string, description: string, more: Partial<App> = {}): App => ({
  id,
  name,
  description,
  homePage: `https://${id}.example.org/`,
  redirectUris: [`https://${id}.example.org/oauth/callback`],
  requirePkce: true,
  asks: ['openid', 'profile', 'email'],
  ...more,
});

/** The apps, most used first. */
export const apps: readonly App[] = [
  web('chat', 'Chat', 'Team chat', { firstParty: true }),
  web('wiki', 'Wiki', 'Notes and handbooks', { recipe: 'bookstack' }),
  web('git', 'Git', 'Code hosting', {
    recipe: 'gitea',
    asks: ['openid', 'profile', 'email', 'offline_access'],
  }),
  web('photos', 'Photos', 'Shared albums', {
    recipe: 'immich',
    asks: ['profile', 'email', 'photos.read'],
    trouble: { percent: 6, why: 'reuse' },
  }),
  web('files', 'Files', 'Shared folders', {
    recipe: 'nextcloud',
    asks: ['openid', 'email', 'offline_access'],
  }),
  web('metrics', 'Metrics', 'Dashboards for the servers', {
    recipe: 'grafana',
    trouble: { percent: 14, why: 'secret' },
  }),
  {
    id: 'trails',
    name: 'Trail Log',
    description: 'Hikes, on the phone',
    type: 'public',
    redirectUris: ['org.example.trails:/callback'],
    asks: ['profile', 'email', 'offline_access'],
  },
  web('reader', 'Reader', 'Feeds', { recipe: 'miniflux', asks: ['openid', 'email'] }),
  web('calendar', 'Calendar', 'Rooms and meetings'),
  web('recipes', 'Cookbook', 'Recipes and shopping lists', {
    trouble: { percent: 9, why: 'address' },
  }),
  web('invoices', 'Invoices', 'Bills and payments', {
    scopes: ['openid', 'profile', 'email', 'invoices.pay'],
    asks: ['openid', 'email', 'invoices.pay'],
  }),
  {
    id: 'backup',
    name: 'Nightly backup',
    description: 'Copies everything at night, with nobody signed in',
    grants: ['client_credentials'],
    scopes: ['files.read'],
    asks: [],
  },
];

/** The teams that have apps of their own, each with a group. */
export const teams =
  'Accounts Design Facilities Harbour Kitchen Legal Library Logistics Press Research Sales Security Studio Support Travel Workshop'.split(
    ' ',
  );
/** Where people work; each town has a group, too. */
export const towns =
  'Aarhus Bergen Cork Delft Essen Faro Ghent Haarlem Innsbruck Jena Kiel Lyon Malmö Namur Odense Porto Reims Siena Tartu Utrecht Vilnius Ypres'.split(
    ' ',
  );
const tools =
  'Board Calendar Checklists Desk Directory Forms Inventory Maps News Planner Reports Rooms Shifts Surveys Tickets Vault'.split(
    ' ',
  );
/** The number of different names for apps besides those above. */
export const mostMoreApps = teams.length * tools.length;

/**
 * Further apps, to see what a long list looks like: "Harbour Rooms", each with a different name.
 */
export const moreApps = (count: number): App[] =>
  Array.from({ length: count }, (_, index) => {
    const [team = '', round] = [teams[index % teams.length], Math.floor(index / teams.length)];
    const tool = tools[(index + round) % tools.length] ?? '';
    return web(`${team}-${tool}`.toLowerCase(), `${team} ${tool}`, `For the people of ${team}`);
  });

/** The groups. Every `every`-th person is a member. */
export const groups = [
  { name: 'Bookkeeping', description: 'Bills, payments and the yearly accounts', every: 9 },
  { name: 'Engineering', description: 'Whoever keeps the machines running', every: 4 },
  { name: 'Volunteers', description: 'They come on Saturdays', every: 3 },
];

export const scopes = [
  { name: 'photos.read', description: 'See your photos' },
  { name: 'files.read', description: 'See your files' },
  { name: 'invoices.pay', description: 'Pay invoices', sensitive: true },
];

/** The browsers people sign in with. */
export const devices = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
] as const;
