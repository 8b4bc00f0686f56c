import { isIP } from 'node:net';
import { config } from '../../config.ts';
import { askSite, FetchFailed } from '../../http/outgoing.ts';
import { usualSiteHeaders } from '../../oauth/site.ts';
import { doctorHeader, makeDoctorPass } from '../../sealed/doctor.ts';
import type { siteChecks } from './site-checks.ts';

/** What arrived beside what should have. */
type SiteFinding = {
  check: (typeof siteChecks)[number];
  fine: boolean;
  received: string;
  expected: string;
};

/** A guarded app, as far as its check depends on it. */
type Guarded = {
  id: string;
  guardedSites: readonly string[];
  siteHeaders: Readonly<Record<string, unknown>>;
};

/** Checks all guarded sites of an app. Never throws. */
export const checkSites = (client: Guarded, now: Date) =>
  Promise.all(
    client.guardedSites.map(async (site) => ({
      site,
      findings: await checkSite(client, site, now),
    })),
  );

/** What the guard says has arrived (`endpoints/proxy/echo.ts`). */
type Echo = {
  proxy: string;
  asker: string;
  peer: string | null;
  address: string | null;
  method: string | null;
  host: string | null;
  uri: string | null;
  clientId: string | null;
  forged: string[];
};

const foreignHost = 'gatehouse-check.invalid';
/** An address of documentation (RFC 5737): no browser has it. */
const foreignAddress = '203.0.113.7';
const target = '/.gatehouse/echo?checked=1';
const forgedTarget = '/.gatehouse/echo?forged=1';

/** Both families at once, each naming another request than the real one. */
const forgedRequest = {
  'X-Forwarded-Host': foreignHost,
  'X-Forwarded-Uri': forgedTarget,
  'X-Forwarded-Method': 'OPTIONS',
  'X-Forwarded-For': foreignAddress,
  'X-Original-URL': `https://${foreignHost}${forgedTarget}`,
  'X-Original-Method': 'OPTIONS',
  'X-Gatehouse-Proxy-Secret': 'forged',
  Forwarded: `for=${foreignAddress};host=${foreignHost};proto=https`,
};

const opening = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };

/**
 * Calls a site as a stranger would who forges what proxies say, and reports what came through its
 * proxy beside what should have. Never throws.
 */
async function checkSite(client: Guarded, site: string, now: Date): Promise<SiteFinding[]> {
  try {
    const names = [...Object.keys(usualSiteHeaders), ...Object.keys(client.siteHeaders)];
    const forged = {
      ...forgedRequest,
      ...Object.fromEntries(names.map((name) => [name, 'forged'])),
    };
    const pass = { [doctorHeader]: makeDoctorPass(now) };
    const answer = await askSite(site + target, { ...pass, ...forged });
    const echo = echoIn(answer);
    const closed = judgeClosed(await askSite(`${site}/`, { ...opening, ...forged }));
    if (!echo) {
      const received = `status ${answer.status}, not from this server`;
      return [finding('asks', false, received, 'an answer of this server'), closed];
    }
    return [...judgeEcho(echo, client, site), closed, await judgeForeign(site, pass)];
  } catch (error) {
    const received = error instanceof FetchFailed ? error.message : String(error);
    return [finding('asks', false, received, 'an answer of this server')];
  }
}

const finding = (
  check: SiteFinding['check'],
  fine: boolean,
  received: string,
  expected: string,
): SiteFinding => ({ check, fine, received, expected });

type Answer = Awaited<ReturnType<typeof askSite>>;

/** Only this server's own answer counts: it says so in a header. */
function echoIn({ headers, text }: Answer): Echo | null {
  if (headers['x-gatehouse-echo'] !== '1') return null;
  try {
    return JSON.parse(text) as Echo;
  } catch {
    return null;
  }
}

function judgeEcho(echo: Echo, client: Guarded, site: string): SiteFinding[] {
  const is = (check: SiteFinding['check'], received: string | null, expected: string) =>
    finding(check, received === expected, received ?? 'nothing that can be read', expected);
  const { host } = new URL(site);
  return [
    finding('asks', true, `/proxy/verify/${echo.proxy}`, 'an answer of this server'),
    finding(
      'trusted',
      echo.asker !== 'unknown',
      echo.peer ?? 'unknown',
      'an address in TRUSTED_PROXIES, or PROXY_SECRET',
    ),
    echo.clientId !== null && echo.clientId !== client.id
      ? finding('host', false, `${echo.host} of ${echo.clientId}`, host)
      : is('host', echo.host, host),
    is('address', echo.uri, target),
    is('method', echo.method, 'GET'),
    finding(
      'browser',
      echo.address !== foreignAddress,
      echo.address ?? 'unknown',
      'the address of the browser, not what it claims',
    ),
    finding('names', echo.forged.length === 0, echo.forged.join(', ') || 'none', 'none'),
  ];
}

/** Whoever is not signed in is led to the sign-in, whatever they claim. */
function judgeClosed({ status, headers }: Answer): SiteFinding {
  const { location } = headers;
  const { issuer } = config();
  const isLed = status >= 300 && status < 400 && location?.startsWith(`${issuer}/`) === true;
  const received = `status ${status}${location ? `, to ${location.split('?')[0]}` : ''}`;
  return finding('closed', isLed, received, `status 303, to ${issuer}/oauth/authorize`);
}

/**
 * A proxy asks about this site or about none, whatever host a request names at its address: about
 * another one, this server would answer whether that may be opened, and the proxy would open this.
 */
async function judgeForeign(site: string, pass: Record<string, string>): Promise<SiteFinding> {
  const { host } = new URL(site);
  const asked = await Promise.all(
    misleadingAt(site).map(async ({ says, named, line }) => {
      // A proxy that does not even answer has refused.
      const answer = await askSite(site + target, { ...pass, Host: named }, line).catch(() => null);
      const about = (answer && echoIn(answer)?.host) ?? null;
      return about === null || (line && about === host) ? [] : `${says}: asks about ${about}`;
    }),
  );
  const wrong = asked.flat();
  return finding(
    'foreign',
    wrong.length === 0,
    wrong.join('; ') || 'refused',
    'refused (status 421)',
  );
}

/** Requests at the address of a site that name another host. */
function misleadingAt(site: string): { says: string; named: string; line?: string }[] {
  const { host, hostname } = new URL(site);
  const [, parent = ''] = isIP(hostname) === 0 ? (/^[^.[]+(\..+)$/.exec(host) ?? []) : [];
  const sibling = parent === '' ? [] : [`gatehouse-check${parent}`];
  return [
    ...[foreignHost, ...sibling].map((named) => ({ says: `Host: ${named}`, named })),
    // RFC 9112 section 3.2.2: the request line counts, and not Host.
    { says: `GET ${site}/ with Host: ${foreignHost}`, named: foreignHost, line: site + target },
  ];
}
