import type { FederatedCredential } from './client.ts';
import {
  type AssertionFault,
  assertionFault,
  assertionTimeFault,
  longestJti,
  type ReadAssertion,
  readSigned,
  rememberedUntil,
} from './client-assertion.ts';
import { fitsRule } from './federated-credential.ts';
import { clientSigningAlgs } from './key-set.ts';
import { digest } from './secrets.ts';
import { shownClaim, type UnverifiedJwt } from './signed-jwt.ts';

/** The maximum lifetime of such a JWT in seconds: clusters renew theirs after at most a day. */
const longestLife = 86_400;

/** A JWT of another issuer that meets a rule of the client. */
type ReadFederated = { read: ReadAssertion; credential: FederatedCredential };

/**
 * Checks the claims of another issuer's JWT with which a client authenticates (RFC 7521 section
 * 4.2, RFC 7523 section 3). Its subject is a name that only its issuer knows, so the request must
 * name the client. All claims are checked before anything is fetched, and keys are only fetched
 * from an address that an admin configured, never from one in the JWT.
 */
export function readFederated(
  text: string,
  {
    clientId,
    issuer,
    credentials,
  }: { clientId: string; issuer: string; credentials: readonly FederatedCredential[] },
  now: Date,
): ReadFederated | { fault: AssertionFault } {
  const signed = readSigned(text, workloadJwt);
  if ('fault' in signed) return signed;
  const { jwt } = signed;
  const { claims } = jwt;
  const credential = credentialFor(claims, credentials, issuer);
  if ('fault' in credential) return credential;
  const wrong = assertionTimeFault(claims, longestLife, now);
  if (wrong) return wrong;
  const once = credential.reusable ? null : onceOf(jwt, clientId);
  return typeof once === 'object' && once !== null
    ? once
    : { read: { ...signed, once, keepUntil: rememberedUntil(jwt) }, credential };
}

/** The rule of the client that the JWT meets. */
function credentialFor(
  claims: UnverifiedJwt['claims'],
  credentials: readonly FederatedCredential[],
  issuer: string,
): FederatedCredential | { fault: AssertionFault } {
  const ofIssuer = credentials.filter((each) => each.issuer === claims.iss);
  if (ofIssuer.length === 0)
    return assertionFault('issuer', 'The client has no rule for this issuer.', claims.iss, [
      ...new Set(credentials.map((each) => each.issuer)),
    ]);
  if (!isFor(claims.aud, issuer))
    return assertionFault(
      'audience',
      'The JWT is for another server.',
      claims.aud,
      audiencesOf(issuer),
    );
  // Without its proof of possession, a copy of the JWT would be accepted.
  if (claims.cnf !== undefined)
    return assertionFault('claims', 'The JWT is bound to a key.', 'cnf', ['a JWT without cnf']);
  return (
    ofIssuer.find((each) => fits(each, claims)) ??
    assertionFault(
      'claims',
      'The JWT does not match the rules of this client.',
      saidOf(ofIssuer, claims),
      ofIssuer.map(ruleText),
    )
  );
}

const workloadJwt = {
  name: 'the JWT',
  unreadable: 'The JWT of the other issuer cannot be read.',
  wrongTyp: 'The JWT is of a type that is not accepted here.',
  // Other Gatehouses and clouds issue `at+jwt` for an API; clusters set no type.
  typs: ['jwt', 'at+jwt'],
  expectedTyps: ['JWT', 'at+jwt'],
  algs: clientSigningAlgs,
};

/**
 * This server, by its issuer or its token endpoint (RFC 7523 section 3). A client that signs its own
 * assertions may only name the issuer: another server could tell it that this is its endpoint. The
 * audience of a workload is written where it runs.
 */
const audiencesOf = (issuer: string) => [issuer, `${issuer}/oauth/token`];

/** Whether the audience is this server alone. Some issuers always write a list. */
function isFor(aud: unknown, issuer: string): boolean {
  const one: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  return audiencesOf(issuer).some((each) => each === one);
}

const fits = (credential: FederatedCredential, said: UnverifiedJwt['claims']) =>
  // A property that every object inherits is not text, so it fits no rule.
  Object.entries(credential.claims).every(([name, rule]) => fitsRule(rule, said[name]));

const ruleText = ({ claims }: FederatedCredential) =>
  Object.entries(claims)
    .map(([name, rule]) => `${name} ${rule}`)
    .join(', ');

/** The claims that the rules are about, with their values. */
function saidOf(credentials: readonly FederatedCredential[], said: UnverifiedJwt['claims']) {
  const names = new Set(credentials.flatMap(({ claims }) => Object.keys(claims)));
  return [...names]
    .map((name) => (Object.hasOwn(said, name) ? `${name} ${shownClaim(said[name])}` : `no ${name}`))
    .join(', ');
}

/**
 * Identifies a JWT by its `jti`, or else by everything that is signed, because one signature can be
 * written in several ways.
 */
function onceOf({ text, claims }: UnverifiedJwt, clientId: string) {
  const { iss, jti } = claims;
  const signed = text.slice(0, text.lastIndexOf('.'));
  const isText = typeof jti === 'string' && jti !== '' && jti.length <= longestJti;
  if (jti !== undefined && !isText)
    return assertionFault('jti', 'The jti of the JWT is empty, too long or not text.', jti, [
      `text of 1 to ${longestJti} characters, or none`,
    ]);
  const name = isText ? ['jti', jti] : ['signed', signed];
  return `federated:${digest(JSON.stringify([clientId, iss, ...name]))}`;
}
