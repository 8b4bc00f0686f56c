import { config } from '../config.ts';
import type { Arrived } from '../endpoints/arrived.ts';
import { certificateEnd, renewed } from '../management/alert/upkeep.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { doctorHeader, makeDoctorPass } from '../sealed/doctor.ts';
import { type Finding, fine, reasonOf, said, trouble, warning } from './finding.ts';

/** Milliseconds. */
const patience = 10_000;
const clockTolerance = 60_000;
const day = 86_400_000;
const wellKnowns = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

/** At its public address, through whatever proxy is in front. */
export async function examineOutside(now: Date): Promise<Finding[]> {
  const certificate = await examineCertificate(now);
  const [answer, failed] = await visit('/readyz?verbose', now);
  if (!answer) return [...certificate, unreachable(failed)];
  return [
    ...certificate,
    ...(await examineArrival(answer)),
    examineClock(answer, now),
    ...(await Promise.all(wellKnowns.map((path) => examineWellKnown(path, now)))),
    await examineCookies(now),
  ];
}

/** Makes one request to the public address; returns the reason if there was no answer. */
async function visit(path: string, now: Date): Promise<[Response, ''] | [null, string]> {
  try {
    const answer = await fetch(config().issuer + path, {
      redirect: 'manual',
      headers: { [doctorHeader]: makeDoctorPass(now), accept: 'text/html,application/json' },
      signal: AbortSignal.timeout(patience),
    });
    return [answer, ''];
  } catch (error) {
    return [null, reasonOf(error)];
  }
}

function unreachable(reason: string): Finding {
  return trouble(
    'public-address',
    `Nothing answers at ${config().issuer}: ${reason}.`,
    'Start the server, point the name and the proxy at it, or correct ISSUER. Where this machine cannot reach its own public name, run doctor elsewhere.',
  );
}

async function examineArrival(answer: Response): Promise<Finding[]> {
  const body = (await answer.json().catch(() => null)) as {
    arrived?: Arrived;
    status?: string;
  } | null;
  const { issuer } = config();
  if (!body?.arrived && answer.status === 503 && body?.status === 'unavailable')
    return [
      trouble(
        'public-address',
        `The server at ${issuer} answers that it is unavailable (status 503).`,
        'Fix the findings above first; if there are none, its log says why.',
      ),
    ];
  if (!body?.arrived)
    return [
      trouble(
        'public-address',
        `What answers at ${issuer} (status ${answer.status}) is not this server: it does not know its secret.`,
        'Point the proxy at this server, and give all processes the same SERVER_SECRET.',
      ),
    ];
  return [fine('public-address', `This server answers at ${issuer}.`), judgeProxy(body.arrived)];
}

/** Whether the browser's address gets through the proxy. */
function judgeProxy({ peer, address, trusted, unreadable, forwardedFor, host }: Arrived): Finding {
  const { issuer } = config();
  const { protocol, host: expected } = new URL(issuer);
  if (forwardedFor !== null && !trusted)
    return trouble(
      'proxy',
      `A proxy at ${peer} forwards requests (X-Forwarded-For: ${said(forwardedFor)}), and TRUSTED_PROXIES does not name it: everybody counts as one address.`,
      `TRUSTED_PROXIES=${peer}`,
    );
  if (unreadable)
    return trouble(
      'proxy',
      `The proxy at ${peer} names its client as ${said(unreadable)} (X-Forwarded-For), which is no address: everybody counts as the proxy.`,
      'Let it send the address of the client, such as 192.0.2.7 or [2001:db8::7]:443.',
    );
  if (forwardedFor === null && protocol === 'https:')
    return warning(
      'proxy',
      `The proxy at ${peer} does not forward the address of the browser: everyone seems to come from one address.`,
      'Let it set X-Forwarded-For to the address of the browser.',
    );
  if (host !== expected)
    return warning(
      'proxy',
      `The proxy sends the Host ${said(host)} instead of ${expected}.`,
      'Let it pass on the Host of the browser (nginx: proxy_set_header Host $host).',
    );
  return fine(
    'proxy',
    forwardedFor
      ? `The proxy at ${peer} is trusted: this visit is seen as coming from ${address}.`
      : 'There is no proxy in between.',
  );
}

function examineClock(answer: Response, now: Date): Finding {
  const sent = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(sent))
    return warning('clock', 'The answer has no Date header.', 'Let the proxy pass it on.');
  const apart = Math.round((sent - now.getTime()) / 1000);
  const says = `The clock at ${config().issuer} is ${Math.abs(apart)} s ${apart < 0 ? 'behind' : 'ahead of'} this one.`;
  return Math.abs(apart) * 1000 > clockTolerance
    ? trouble(
        'clock',
        says,
        'Run a time service (chrony, systemd-timesyncd): codes and one-time passwords depend on it.',
      )
    : fine('clock', says);
}

async function examineWellKnown(path: string, now: Date): Promise<Finding> {
  const [answer, failed] = await visit(path, now);
  const { issuer } = config();
  const document = (await answer?.json().catch(() => null)) as { issuer?: string } | null;
  if (document?.issuer === issuer) return fine('well-known', `${path} names ${issuer}.`);
  const says = answer
    ? `${issuer}${path} answers ${answer.status}, and names ${said(document?.issuer ?? 'no issuer')} instead of ${issuer}.`
    : `${issuer}${path} does not answer: ${failed}.`;
  return trouble(
    'well-known',
    says,
    'Set ISSUER to the public address on every process, and let the proxy pass on /.well-known/.',
  );
}

/** Checks the attributes of our cookies as a browser receives them. */
async function examineCookies(now: Date): Promise<Finding> {
  const [answer, failed] = await visit('/login', now);
  const cookies = answer?.headers.getSetCookie() ?? [];
  if (cookies.length === 0)
    return warning(
      'cookies',
      `The sign-in page sets no cookie (${answer?.status ?? failed}).`,
      'Let the proxy pass on Set-Cookie and cache nothing.',
    );
  const secure = config().issuer.startsWith('https:');
  const bad = cookies.filter(
    (cookie) =>
      (secure && !/;\s*secure/i.test(cookie)) ||
      !/;\s*httponly/i.test(cookie) ||
      !/;\s*samesite=(lax|strict)/i.test(cookie),
  );
  if (bad.length > 0)
    return trouble(
      'cookies',
      `A cookie arrives without Secure, HttpOnly or SameSite: ${said(bad.map((cookie) => cookie.split('=')[0]).join(', '))}.`,
      'Let the proxy leave Set-Cookie as it is.',
    );
  const { hostname } = new URL(config().issuer);
  return secure || isLoopbackHost(hostname)
    ? fine('cookies', `Cookies arrive ${secure ? 'with Secure, ' : ''}HttpOnly and SameSite.`)
    : trouble(
        'cookies',
        `${config().issuer} is plain http: cookies and passwords can be read on the way.`,
        'Put https in front (Caddy does it by itself), and set ISSUER=https://…',
      );
}

async function examineCertificate(now: Date): Promise<Finding[]> {
  const { hostname } = new URL(config().issuer);
  try {
    const ends = await certificateEnd();
    if (!ends) return [];
    const days = Math.floor((ends.getTime() - now.getTime()) / day);
    if (days < 0)
      return [
        trouble(
          'certificate',
          `The certificate of ${hostname} ended on ${ends.toISOString().slice(0, 10)}.`,
          'Renew it, and look why nothing does so by itself.',
        ),
      ];
    const says = `The certificate of ${hostname} is good for ${days} days.`;
    return [
      days < renewed
        ? warning('certificate', says, 'It should have been renewed by now.')
        : fine('certificate', says),
    ];
  } catch {
    // The visit reports why the address does not answer.
    return [];
  }
}
