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
  const offered = { requestId, text: meaningOf(text, fix) };
  if (way.by === 'setting' || !isMadeHere(kind))
    return {
      ...offered,
      setting: { href: settingOf(kind, about), label: text(`attempts.fixSettings.${kind}`) },
    };
  const typed =
    way.by === 'typing'
      ? { label: text('attempts.typePlace', { place: stripBidi(way.place) }) }
      : null;
  return {
    ...offered,
    button: text(`attempts.fix.${kind}`),
    confirm: text(`attempts.fixConfirm.${kind}`),
    typed,
  };
}

type About = { clientId: string; userId: string | null };

/** The consequences of the change, and why it might be a mistake. */
function meaningOf(text: Text, { kind, value, way, sensitive }: Fix): string {
  const shown = stripBidi(value);
  return [
    way.by === 'typing' && text('attempts.fixElsewhere', { place: stripBidi(way.place) }),
    way.by === 'setting' && way.since !== 'guess' && text(`attempts.fixSince.${way.since}`),
    text(`attempts.fixText.${kind}`, { value: shown }),
    sensitive && text('attempts.fixSensitive', { scope: shown }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The address of the setting for a change. */
function settingOf(kind: FixKind, { clientId, userId }: About): string {
  if (kind === 'email') return `/admin/people/${userId ?? ''}`;
  const [page, card] = cards[kind];
  return `${clientPage(clientId, page)}#${card}`;
}

const cards: Record<Exclude<FixKind, 'email'>, ['settings' | 'access', string]> = {
  'redirect-uri': ['settings', 'addresses'],
  'sign-out-uri': ['settings', 'addresses'],
  scope: ['settings', 'may'],
  'grant-type': ['settings', 'may'],
  pkce: ['settings', 'protocol'],
  iss: ['settings', 'protocol'],
  enable: ['settings', 'danger'],
  network: ['access', 'rules'],
  access: ['access', 'allowed'],
};
