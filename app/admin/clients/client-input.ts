import type { ClientKind } from '#lib/management/client-kinds.ts';
import type { ClientChange } from '#lib/management/clients.ts';
import { listOf, textOf } from '../act.ts';

/** What the short form says of a new client of a kind. */
export function readNew(kind: ClientKind, form: FormData): ClientChange {
  const name = textOf(form, 'name');
  if (kind === 'service') return { name, scopes: listOf(form, 'scopes') };
  const addresses = {
    redirectUris: linesOf(form, 'redirectUris'),
    allowInsecureRedirectUri: isOn(form, 'allowInsecureRedirectUri'),
  };
  const common = { name, homePage: textOf(form, 'homePage'), ...addresses };
  if (kind === 'public') return common;
  const tight = {
    requirePkce: isOn(form, 'requirePkce') || null,
    requireClientAuthOnRefresh: isOn(form, 'requireClientAuthOnRefresh') || null,
  };
  if (kind === 'web') return { ...common, ...tight };
  return { ...common, ...tight, postLogoutRedirectUris: linesOf(form, 'postLogoutRedirectUris') };
}

/** Everything the long form says of a client. */
export function readEdit(form: FormData): ClientChange {
  const text = (name: string) => textOf(form, name);
  return {
    name: text('name'),
    description: text('description'),
    homePage: text('homePage'),
    privacyLink: text('privacyLink'),
    termsLink: text('termsLink'),
    type: text('type') === 'public' ? 'public' : 'confidential',
    grants: listOf(form, 'grants'),
    scopes: text('scopesMode') === 'listed' ? listOf(form, 'scopes') : null,
    redirectUris: linesOf(form, 'redirectUris'),
    postLogoutRedirectUris: linesOf(form, 'postLogoutRedirectUris'),
    allowInsecureRedirectUri: isOn(form, 'allowInsecureRedirectUri'),
    backchannelLogoutUri: text('backchannelLogoutUri'),
    requirePkce: switchOf(text('requirePkce')),
    requireClientAuthOnRefresh: switchOf(text('requireClientAuthOnRefresh')),
    firstParty: isOn(form, 'firstParty'),
    resourceServer: isOn(form, 'resourceServer'),
    sendIss: isOn(form, 'sendIss'),
    idTokenAlg: text('idTokenAlg'),
    idTokenOnRefresh: isOn(form, 'idTokenOnRefresh'),
    accessTokenTtl: secondsOf(text('accessTokenTtl')),
    refreshTokenTtl: secondsOf(text('refreshTokenTtl')),
    refreshTokenMaxTtl: secondsOf(text('refreshTokenMaxTtl')),
  };
}

const isOn = (form: FormData, name: string) => textOf(form, name) === 'on';
const linesOf = (form: FormData, name: string) =>
  listOf(form, name)
    .map((line) => line.trim())
    .filter(Boolean);
const switchOf = (text: string) => (text === 'on' ? true : text === 'off' ? false : null);
/** What is no number is none to the rules either, and refused at its field. */
const secondsOf = (text: string) => (text.trim() === '' ? null : Number(text));
