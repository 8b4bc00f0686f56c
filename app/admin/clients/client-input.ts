import type { ClientKind } from '#lib/management/client/client-kinds.ts';
import { lifetime } from '#lib/management/client/client-rules.ts';
import type { ClientChange } from '#lib/management/client/clients.ts';
import { inJsonNames } from '#lib/management/client/fields.ts';
import { listedTwice, readPairs } from '#lib/management/pairs.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { sentence } from '#lib/messages/sentence.ts';
import type { FederatedCredential } from '#lib/oauth/client.ts';
import {
  type ClientField,
  clientFieldNames,
  clientFields,
  type FieldKind,
} from '#lib/oauth/client.ts';
import { saidByMetadata } from '#lib/oauth/client-metadata.ts';
import { wholeCredential } from '#lib/oauth/federated-credential.ts';
import { listOf, textOf } from '../act.ts';
import { federatedField, federatedName } from './federated-names.ts';
import { onAccessPage } from './on-access-page.ts';

/** Reads the short form for a new client of this kind. */
export function readNew(kind: ClientKind, form: FormData): ClientChange {
  const name = textOf(form, 'name');
  if (kind === 'service') return { name, scopes: listOf(form, 'scopes') };
  if (kind === 'device') return { name, homePage: textOf(form, 'homePage') };
  if (kind === 'ldap') return { name };
  if (kind === 'guarded') return { name, guardedSites: linesOf(form, 'guardedSites') };
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

/** How a new app proves itself, if its form asks for it. */
export function readStrength(form: FormData): ClientChange {
  const strong = switchOf(textOf(form, 'strong'));
  return strong === false
    ? { strong }
    : { strong, jwks: textOf(form, 'jwks') || null, jwksUri: textOf(form, 'jwksUri') || null };
}

/** How to read each kind of field in the long form. An unticked box is not sent at all. */
const reading: { [Kind in FieldKind]: (form: FormData, name: string) => unknown } = {
  text: textOf,
  textOrNone: textOf,
  choice: textOf,
  words: listOf,
  wordsOrServer: (form, name) =>
    textOf(form, `${name}Mode`) === 'listed' ? listOf(form, name) : null,
  addresses: linesOf,
  switch: isOn,
  switchOrServer: (form, name) => switchOf(textOf(form, name)),
  secondsOrServer: (form, name) => secondsOf(textOf(form, name)),
  secondsOrNone: (form, name) => secondsOf(textOf(form, name)),
  pairs: pairsOf,
  federations: federationsOf,
};

const inLongForm = clientFieldNames.filter((field) => !onAccessPage.includes(field));

const readFields = (form: FormData, fields: readonly ClientField[]): ClientChange =>
  Object.fromEntries(
    fields.map((field) => [field, reading[clientFields[field].kind](form, field)]),
  );

/** Reads every field of the long form. */
export function readEdit(form: FormData): ClientChange {
  return {
    ...readFields(form, inLongForm),
    allowInsecureRedirectUri: isOn(form, 'allowInsecureRedirectUri'),
  };
}

/** Reads the fields that are left if the client's document decides the others. */
export function readRest(form: FormData): ClientChange {
  const said: readonly ClientField[] = saidByMetadata;
  return readFields(
    form,
    inLongForm.filter((field) => !said.includes(field)),
  );
}

export const readAccessPage = (form: FormData) => ({
  client_id: textOf(form, 'client'),
  ...inJsonNames(readFields(form, onAccessPage)),
});

/**
 * Asks for a confirmation if an app with user sign-ins would be left without redirect URIs, because
 * each of its requests then names its own. Without the tick, the field is refused. A public app may
 * not do this at all, as other rules ensure.
 */
export function refuseNoRedirect(client: ClientChange, form: FormData): void {
  const { grants = [], redirectUris = [], guardedSites = [], type } = client;
  const leads = redirectUris.length > 0 || guardedSites.length > 0;
  if (!grants.includes('authorization_code') || leads) return;
  if (type !== 'public' && !isOn(form, 'allowNoRedirectUri'))
    refuseAdmin('redirectUris', sentence('connect.noRedirectAsked'));
}

export function isOn(form: FormData, name: string): boolean {
  return textOf(form, name) === 'on';
}

function linesOf(form: FormData, name: string): string[] {
  return listOf(form, name)
    .map((line) => line.trim())
    .filter(Boolean);
}

function pairsOf(form: FormData, name: string): Readonly<Record<string, string>> {
  const read = readPairs(linesOf(form, name));
  return 'pairs' in read ? read.pairs : refuseAdmin(name, listedTwice(read.twice));
}

/** Reads the rules in the long form. A rule without an issuer was removed or never filled in. */
function federationsOf(form: FormData): readonly FederatedCredential[] {
  const rows = Array.from({ length: Math.min(Number(textOf(form, federatedName)) || 0, 100) });
  return rows.flatMap((_, index) => {
    const at = (part: keyof FederatedCredential) => federatedField(index, part);
    const said = {
      issuer: textOf(form, at('issuer')),
      claims: pairsOf(form, at('claims')),
      keys: textOf(form, at('keys')),
      reusable: isOn(form, at('reusable')),
    };
    return said.issuer.trim() === '' ? [] : [wholeCredential(said)];
  });
}

const switchOf = (text: string) => (text === 'on' ? true : text === 'off' ? false : null);
/** Seconds. If the text is not a duration, -1 makes the rules refuse it at its field. */
const secondsOf = (text: string) => (text.trim() === '' ? null : (lifetime.parse(text) ?? -1));
