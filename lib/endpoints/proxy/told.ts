import { config } from '../../config.ts';
import type { HttpHeaders } from '../../http/message.ts';
import { sign } from '../../identity/signing.ts';
import type { Client } from '../../oauth/client.ts';
import { ownInIdToken } from '../../oauth/id-token-room.ts';
import type { InfoUser } from '../../oauth/info-user.ts';
import { grantedIn } from '../../oauth/operator-claims.ts';
import type { SignIn } from '../../oauth/sign-in-rules.ts';
import { isKnownTime } from '../../oauth/sign-in-rules.ts';
import { hostOfSite, type Site, type SiteFact, usualSiteHeaders } from '../../oauth/site.ts';
import { subjectOf } from '../../oauth/subject.ts';
import { furtherFactsFor } from '../../store/groups-and-fields.ts';

/** A person whom a site lets in. */
export type Guest = {
  client: Client;
  site: Site;
  user: InfoUser;
  scope: string;
  signIn: SignIn | null;
};

/** Seconds for which the JWT is valid, and after which a request gets a new one. */
const jwtLife = 60;
const jwtRenewed = 30;

const jwtHeader = 'x-gatehouse-jwt';

/** The headers of a request that no one stands behind: all of them, empty. */
export function nobodyHeaders({ siteHeaders }: Pick<Client, 'siteHeaders'>): HttpHeaders {
  return headersOf(siteHeaders, () => '');
}

type Told = { headers: HttpHeaders; madeAt: number };
/** By what was read about the person: the store returns the same object until it changes. */
const told = new WeakMap<object, Told>();

/**
 * The headers that tell a site who asks. A name that is empty is sent, too: otherwise a proxy would
 * let through what a visitor wrote there.
 * @param key an object that stays the same while nothing about the guest changes
 */
export async function guestHeaders(
  key: object,
  guest: Guest,
  revision: number,
  now: Date,
): Promise<HttpHeaders> {
  const held = told.get(key);
  const age = held ? now.getTime() - held.madeAt : Number.POSITIVE_INFINITY;
  if (held && age >= 0 && age < jwtRenewed * 1000) return held.headers;
  const headers = await makeHeaders(guest, revision, now);
  told.set(key, { headers, madeAt: now.getTime() });
  return headers;
}

async function makeHeaders(guest: Guest, revision: number, now: Date): Promise<HttpHeaders> {
  const { client, site, user, scope, signIn } = guest;
  const granted = grantedIn(scope);
  const tells = (name: string) => granted.scopes.includes(name);
  const facts = await furtherFactsFor(user.id, granted, revision);
  const { claims } = ownInIdToken(client, facts, granted);
  const groups = (claims[client.groupsClaim] as string[] | undefined) ?? [];
  const sub = subjectOf(client, user.id);
  const email = tells('email') && user.emailVerified ? user.email : '';
  const name = (tells('profile') && user.name) || '';
  const username = tells('profile') ? user.username : '';
  const values: Record<SiteFact, string> = {
    user: username,
    name,
    email,
    groups: groups.map((each) => each.replaceAll(',', '%2C')).join(','),
    sub,
  };
  const iat = Math.floor(now.getTime() / 1000);
  const jwt = {
    ...claims,
    iss: config().issuer,
    aud: hostOfSite(site),
    sub,
    ...(username && { preferred_username: username }),
    ...(name && { name }),
    ...(email && { email, email_verified: true }),
    ...(signIn &&
      isKnownTime(signIn.authTime) && {
        auth_time: Math.floor(signIn.authTime.getTime() / 1000),
      }),
    iat,
    exp: iat + jwtLife,
  };
  return {
    ...headersOf(client.siteHeaders, (fact) => inHeader(values[fact])),
    [jwtHeader]: await sign(jwt, { alg: 'ES256', typ: 'JWT' }, revision, now),
  };
}

function headersOf(own: Client['siteHeaders'], say: (fact: SiteFact) => string): HttpHeaders {
  const named = [...Object.entries(usualSiteHeaders), ...Object.entries(own)];
  const headers = named.map(([name, fact]) => [name.toLowerCase(), say(fact as SiteFact)]);
  const unsaid = { [jwtHeader]: '', authorization: '' };
  return { ...Object.fromEntries(headers), ...unsaid, 'cache-control': 'no-store' };
}

/** Header values are bytes (RFC 9110 section 5.5): those of the text in UTF-8. */
const inHeader = (text: string) =>
  Buffer.from(text.replace(/\p{Cc}/gu, ' ').trim(), 'utf8').toString('latin1');
