import { type Fix, type FixKind, isMadeHere } from '#lib/management/attempt/trace-fixes.ts';
import type { Text } from '#lib/messages/text.ts';
import { stripBidi } from '../../ui/strip-bidi.ts';
import { clientPage } from '../addresses.ts';

/**
 * A change that would fix an attempt, in words. It is plain data that can be sent to a listening
 * page.
 */
export type Offer = OfferHere | OfferThere;

type Meant = {
  requestId: string;
  /** The consequences of the change. */
  text: string;
};
/** A change that is made where it is offered. */
export type OfferHere = Meant & {
  button: string;
  confirm: string;
  /** What has to be typed to confirm the change. */
  typed: { label: string } | null;
};
/** A change that is made at its setting. */
type OfferThere = Meant & { setting: { href: string; label: string } };

/** Describes how a change is offered. */
export function offerOf(text: Text, fix: Fix, requestId: string, about: About): Offer {
  const { way, kind } = fix;
  const shown = { value: stripBidi(fix.value) };
  const sensitive = fix.sensitive && text('attempts.fixSensitive', { scope: shown.value });
  if (way.by === 'setting' || !isMadeHere(kind)) {
    if (!isElsewhere(kind)) throw new Error(`An address is added here, not at a setting: ${kind}`);
    const since =
      way.by === 'setting' && way.since !== 'guess' && text(`attempts.fixSince.${way.since}`);
    return {
      requestId,
      text: joined(since, text(`attempts.fixThere.${kind}`, shown), sensitive),
      setting: { href: settingOf(kind, about), label: text(`attempts.fixSettings.${kind}`) },
    };
  }
  const place = way.by === 'typing' ? { place: stripBidi(way.place) } : null;
  const elsewhere = place && text('attempts.fixElsewhere', place);
  return {
    requestId,
    text: joined(elsewhere, text(`attempts.fixText.${kind}`, shown), sensitive),
    button: text(`attempts.fix.${kind}`),
    confirm: text(`attempts.fixConfirm.${kind}`),
    typed: place && { label: text('attempts.typePlace', place) },
  };
}

type About = { clientId: string | null; userId: string | null };

const joined = (...sentences: (string | null | false | undefined)[]) =>
  sentences.filter(Boolean).join(' ');

/** The address of the setting for a change. */
function settingOf(kind: Elsewhere, { clientId, userId }: About): string {
  if (kind === 'email') return `/admin/people/${userId ?? ''}`;
  const [page, card] = cards[kind];
  return `${clientPage(clientId ?? '', page)}#${card}`;
}

/** Changes that can be left to the admin. An address is always added where it is offered. */
type Elsewhere = Exclude<FixKind, 'redirect-uri' | 'sign-out-uri'>;
const isElsewhere = (kind: FixKind): kind is Elsewhere => kind === 'email' || kind in cards;

const cards: Record<Exclude<Elsewhere, 'email'>, ['settings' | 'access', string]> = {
  scope: ['settings', 'may'],
  'grant-type': ['settings', 'may'],
  pkce: ['settings', 'protocol'],
  iss: ['settings', 'protocol'],
  enable: ['settings', 'danger'],
  network: ['access', 'rules'],
  access: ['access', 'allowed'],
};
