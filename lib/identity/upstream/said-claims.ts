import { unknownTime } from '../../oauth/sign-in-rules.ts';
import type { Claims } from './provider-kinds.ts';

/*
 * What the claims of a provider mean, however it writes them. Each meaning has one function here,
 * for sign-ins, links, trials and identity assertions alike.
 */

/** Milliseconds by which a provider's clock may be ahead. */
const skew = 60_000;

/** The first second count that no clock shows this century; a greater number counts milliseconds. */
const tooManySeconds = 1e11;

/**
 * When the person proved who they are at the provider (`auth_time`, OpenID Connect Core section 2):
 * a number, or a text of digits; seconds, or milliseconds. Never later than now. Null if the
 * provider does not say, or nothing that can be true.
 */
export function authTimeSaid({ auth_time: said }: Claims, now: Date): Date | null {
  const isDigits = typeof said === 'string' && /^\d{1,15}(\.\d{1,9})?$/.test(said.trim());
  const number = isDigits ? Number(said) : said;
  if (typeof number !== 'number' || !(number > 0)) return null;
  const at = number < tooManySeconds ? number * 1000 : number;
  if (!(at <= now.getTime() + skew)) return null;
  return new Date(Math.min(Math.floor(at / 1000) * 1000, now.getTime()));
}

/**
 * How fresh a sign-in at a provider is: made for this one (null), at an earlier time, or at a time
 * that the provider does not say (`unknownTime`).
 * @param begun when the person was sent there
 */
export function provedAtOf(claims: Claims, begun: Date, now: Date): Date | null {
  const at = authTimeSaid(claims, now) ?? unknownTime;
  return at.getTime() > begun.getTime() - skew ? null : at;
}

/**
 * Whether a sign-in is as recent as it has to be.
 * @param limit seconds; false: it does not matter. 0: it was made for this one
 */
export function isRecent(provedAt: Date | null, limit: number | false, now: Date): boolean {
  if (limit === false || provedAt === null) return true;
  return limit > 0 && now.getTime() - provedAt.getTime() <= limit * 1000 + skew;
}

/**
 * The scopes that a provider was asked for and did not give; if it says none, it gave them all (RFC
 * 6749 section 5.1). Google writes some as addresses; GitHub puts commas between, and `user` is
 * more than `read:user` and `user:email`.
 */
export function scopesLacking(asked: readonly string[], said: unknown): string[] {
  if (typeof said !== 'string') return [];
  const given = said.split(/[\s,]+/);
  const covers = (one: string, scope: string) =>
    one === scope ||
    one.endsWith(`/${scope}`) ||
    one.endsWith(`.${scope}`) ||
    (one !== '' && (scope.startsWith(`${one}:`) || scope.endsWith(`:${one}`)));
  // Whoever gives no refresh token leaves it out, and none is needed.
  return asked.filter(
    (scope) => scope !== 'offline_access' && !given.some((one) => covers(one, scope)),
  );
}

/** RFC 8176, and the name that AD FS and Entra have for it. */
const namesOfMfa = ['mfa', 'http://schemas.microsoft.com/claims/multipleauthn'];

/** Whether the provider reports more than one factor (`amr`, a list or a text). */
export const saysMfa = ({ amr }: Claims): boolean =>
  listOf(amr).some((name) => namesOfMfa.includes(name));

/**
 * The values of a claim that lists groups or methods: a list, one value instead of one, or an
 * object whose keys are the values, as ZITADEL writes roles. A text is one value, whatever is in
 * it, unless it is a list in JSON, as Entra's and Cognito's are after a mapping. Numbers count as
 * their digits.
 */
export function listOf(said: unknown): string[] {
  const all = Array.isArray(said) ? said : isObject(said) ? Object.keys(said) : [said];
  return all
    .flatMap((each) => (typeof each === 'string' ? listInText(each) : [each]))
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .map(String);
}

function listInText(text: string): unknown[] {
  if (!/^\["[\s\S]*"\]$/.test(text)) return [text];
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return [text];
  }
}

/**
 * A claim by its name. If there is none of that name, its parts lead to it, as to Keycloak's roles:
 * `realm_access.roles`, `resource_access.my.app.roles`.
 */
export function claimAt(said: unknown, name: string): unknown {
  if (!isObject(said)) return undefined;
  for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
    const first = name.slice(0, end);
    if (!Object.hasOwn(said, first)) continue;
    return end === name.length ? said[first] : claimAt(said[first], name.slice(end + 1));
  }
  return undefined;
}

/** The person's whole name; of providers that say only its parts, those together. */
export function nameSaid({ name, given_name, family_name }: Claims): string {
  const texts = (values: unknown[]) =>
    values.filter((each) => typeof each === 'string' && each.trim());
  return (
    [texts([name]), texts([given_name, family_name])].find((all) => all.length > 0)?.join(' ') ?? ''
  );
}

/**
 * Whether the provider says that there are groups, but not which: Entra does so for people in many
 * groups ("Groups overage claim"; OpenID Connect Core section 5.6.2).
 */
export function hasMoreThanSaid(name: string, claims: Claims): boolean {
  const { _claim_names: elsewhere, hasgroups } = claims;
  if (isObject(elsewhere) && Object.hasOwn(elsewhere, name)) return true;
  if (claims[`${name}:src1`] !== undefined) return true;
  return name === 'groups' && (hasgroups === true || hasgroups === 'true');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
