import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { type Instance, startInstance } from '#lib/demo/instance.ts';
import { sizeSaid } from '#lib/demo/size.ts';
import { findOrInstallBrowser } from '#lib/tooling/browser.ts';
import { axeFindings } from '../../support/axe.ts';

/*
 * Measures each page that an admin can reach by links in the demo, in a browser with an empty
 * cache: bytes on the wire, bytes of HTML, requests, first byte (the best of several), largest
 * paint, axe findings, and whether it is wider than the window. `npm run bench:pages -- --than 120
 * --people 10000 --apps 200` compares the lists of two servers instead, asking them in turn, and
 * prints how much longer the larger one takes to its first byte. `npm run bench:pages -- --width
 * 360 --dark --lang de --rtl --people 10000 --apps 200 --shots FOLDER --only /admin/people`
 */
const { values: said } = parseArgs({
  options: {
    width: { type: 'string', default: '1280' },
    dark: { type: 'boolean' },
    lang: { type: 'string', default: 'en' },
    rtl: { type: 'boolean' },
    people: { type: 'string' },
    apps: { type: 'string' },
    shots: { type: 'string' },
    only: { type: 'string', default: '/' },
    than: { type: 'string' },
  },
});

/** How often a page is requested again, because other load on the machine delays some requests. */
const rounds = 7;

/** Lists that grow with people and apps: as opened, searched and on later pages. */
const lists = [
  '/admin',
  '/admin/clients',
  '/admin/people',
  '/admin/people?sort=name&page=2',
  '/admin/people?q=lovelace',
  '/admin/traces',
  '/admin/audit',
  '/admin/approvals',
  '/admin/approvals/matrix',
  '/admin/groups',
  '/admin/search?q=lovelace',
];

/** Pages that no link in the demo leads to: its set-up is over, and it sends no mail. */
const unlinked = [
  '/admin/outbox',
  '/admin/search?q=a',
  '/admin/set-up/you',
  '/admin/set-up/server',
  '/admin/set-up/app',
  '/admin/people/many/disable?every=yes',
];

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
const instance = await startInstance(stop.signal, sizeSaid(said));
if (said.than === undefined) await lookAtAll();
else await compareWith(said.than);
await instance.end();
process.exit();

async function lookAtAll(): Promise<void> {
  const browser = await chromium.launch({ executablePath: await findOrInstallBrowser() });
  try {
    const storage = await signedIn(browser);
    const addresses = (await findPages(browser, storage)).filter((path) =>
      path.startsWith(said.only),
    );
    console.log(`\n${'page'.padEnd(52)}    kB  HTML  files  first  paint  axe`);
    for (const address of addresses.sort()) console.log(await look(browser, address, storage));
  } finally {
    await browser.close();
  }
}

/**
 * Compares the first bytes of lists with those of a server with this many people and sixty apps,
 * asking both in turn.
 */
async function compareWith(people: string): Promise<void> {
  const smaller = await startInstance(stop.signal, sizeSaid({ people, apps: '60' }));
  console.log(`\n${'list'.padEnd(52)} larger smaller  ratio`);
  for (const address of lists) {
    let [large, small] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 3 * rounds; round += 1) {
      large = Math.min(large, await firstByte(instance, address));
      small = Math.min(small, await firstByte(smaller, address));
    }
    const numbers = [large.toFixed(0), small.toFixed(0), (large / small).toFixed(2)];
    console.log(address.padEnd(51) + numbers.map((number) => number.padStart(8)).join(''));
  }
  await smaller.end();
}

/** The time to the first byte, in milliseconds. */
async function firstByte({ origin, adminCookie }: Instance, address: string): Promise<number> {
  const [cookie = ''] = adminCookie.split(';');
  const from = performance.now();
  const { status, body } = await fetch(origin + address, { headers: { cookie } });
  const time = performance.now() - from;
  await body?.cancel();
  if (status !== 200) throw new Error(`${address} was answered ${status}.`);
  return time;
}

type Storage = Awaited<ReturnType<BrowserContext['storageState']>>;

/** The cookies of the demo's admin. */
async function signedIn(from: Browser): Promise<Storage> {
  const context = await from.newContext();
  const [pair = '', ...parts] = instance.adminCookie.split(';');
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const path = parts.find((part) => /^\s*path=/i.test(part))?.split('=')[1] ?? '/';
  await context.addCookies([{ name, value, domain: new URL(instance.origin).hostname, path }]);
  const storage = await context.storageState();
  await context.close();
  return storage;
}

/** One address for each page that links lead to, and the pages without links. */
async function findPages(browser: Browser, storage: Storage): Promise<string[]> {
  const manifest = readFileSync('.next/app-path-routes-manifest.json', 'utf8');
  const routes = Object.entries(JSON.parse(manifest) as Record<string, string>)
    .map(([file, route]) => ({ route, isPage: file.endsWith('/page') }))
    // If two routes match an address, the one with fewer placeholders is served.
    .sort((one, other) => one.route.split('[').length - other.route.split('[').length);
  const context = await browser.newContext({ storageState: storage });
  const found = new Map<string, string>();
  const waiting = ['/admin', '/account', '/docs'];
  for (let address = waiting.shift(); address; address = waiting.shift()) {
    const html = await (await context.request.get(instance.origin + address)).text();
    for (const [, href = ''] of html.matchAll(/href="(\/[^"#?]*)/g)) {
      const fit = routes.find(({ route }) => patternOf(route).test(href));
      if (!fit?.isPage || found.has(fit.route)) continue;
      found.set(fit.route, href);
      waiting.push(href);
    }
  }
  await context.close();
  return [...found.values(), ...unlinked];
}

function patternOf(route: string): RegExp {
  const parts = route.replace(/\[\.\.\.[^\]]+\]/g, '.+').replace(/\[[^\]]+\]/g, '[^/]+');
  return new RegExp(`^${parts}$`);
}

/** Opens a page and returns a line about it. */
async function look(browser: Browser, address: string, storage: Storage): Promise<string> {
  const context = await browser.newContext({
    storageState: storage,
    locale: said.lang,
    viewport: { width: Number(said.width), height: 900 },
    colorScheme: said.dark ? 'dark' : 'light',
  });
  const page = await context.newPage();
  const sizes = countBytes(page);
  await page.goto(instance.origin + address, { waitUntil: 'networkidle' });
  const { bytes, html, files } = await sizes();
  const { first, paint } = await timesOf(page);
  if (said.rtl) await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  const axe = await axeFindings(page);
  if (said.shots) await shoot(page, address, said.shots);
  await context.close();
  const numbers = [bytes / 1000, html / 1000, files, first, paint, axe.length];
  const columns = numbers.map((number) => `${Math.round(number)}`.padStart(6)).join(' ');
  const complaints = [...(tooWide > 0 ? [`${tooWide} px too wide`] : []), ...axe];
  return [`${address.slice(0, 50).padEnd(51)}${columns}`, ...complaints].join('\n    ');
}

/** Counts all bytes received, headers included. HTML is counted uncompressed too. */
function countBytes(page: Page) {
  const seen: Promise<number>[] = [];
  let html = Promise.resolve(0);
  page.on('requestfinished', (request) => {
    seen.push(request.sizes().then((each) => each.responseBodySize + each.responseHeadersSize));
  });
  page.on('response', (response) => {
    if (!response.request().isNavigationRequest()) return;
    html = response.body().then(
      (body) => body.length,
      () => 0,
    );
  });
  return async () => {
    const bytes = (await Promise.all(seen)).reduce((sum, each) => sum + each, 0);
    return { bytes, html: await html, files: seen.length };
  };
}

/**
 * The milliseconds to the first byte (the best of several requests), and from the navigation to the
 * largest paint.
 */
function timesOf(page: Page): Promise<{ first: number; paint: number }> {
  return page.evaluate(async (rounds) => {
    const paint = await new Promise<number>((done) => {
      new PerformanceObserver((list) => done(list.getEntries().at(-1)?.startTime ?? 0)).observe({
        type: 'largest-contentful-paint',
        buffered: true,
      });
      setTimeout(() => done(0), 1000);
    });
    let first = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round += 1) {
      const from = performance.now();
      const { body } = await fetch(location.href);
      first = Math.min(first, performance.now() - from);
      await body?.cancel();
    }
    return { first, paint };
  }, rounds);
}

async function shoot(page: Page, address: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const look = [said.width, said.lang, said.dark && 'dark', said.rtl && 'rtl'].filter(Boolean);
  const name = `${address.slice(1).replace(/[/?=&]/g, '_')}-${look.join('-')}.png`;
  await page.screenshot({ path: resolve(folder, name), fullPage: true });
}
