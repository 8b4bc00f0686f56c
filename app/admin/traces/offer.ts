import type { Mend, MendKind } from '#lib/management/trace-mends.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { stripBidi } from '../../ui/strip-bidi.ts';

/** A change that would mend an attempt, in words: data, so that a listening page can be sent it. */
export type Offer = {
  requestId: string;
  button: string;
  /** What the change means. */
  text: string;
  confirm: string;
  /** What has to be typed before it is made. */
  typed: { label: string } | null;
  /** It is made there and not here. */
  setting: { href: string; label: string } | null;
};

/** How a change is offered. */
export function offerOf(mend: Mend, requestId: string, about: About): Offer {
  const { way, kind } = mend;
  return {
    ...{ requestId, ...words.mend[kind], text: meaningOf(mend) },
    typed: way.by === 'typing' ? { label: words.typePlace(stripBidi(way.place)) } : null,
    setting:
      way.by === 'setting'
        ? { href: settingOf(kind, about), label: words.mendSettings[kind] }
        : null,
  };
}

type About = { clientId: string; userId: string | null };

/** What the change would mean, and what there is to doubt about it. */
function meaningOf({ kind, value, way, sensitive }: Mend): string {
  const shown = stripBidi(value);
  return [
    way.by === 'typing' && words.mendElsewhere(stripBidi(way.place)),
    way.by === 'setting' && words.mendByAnyone,
    words.mendText[kind](shown),
    sensitive && words.mendSensitive(shown),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Where the dashboard has the setting of a change. */
function settingOf(kind: MendKind, { clientId, userId }: About): string {
  const app = `/admin/clients/${encodeURIComponent(clientId)}`;
  return kind === 'email' ? `/admin/people/${userId ?? ''}` : `${app}/${cards[kind]}`;
}

const cards: Record<Exclude<MendKind, 'email'>, string> = {
  'redirect-uri': 'settings#addresses',
  'sign-out-uri': 'settings#addresses',
  scope: 'settings#may',
  'grant-type': 'settings#may',
  pkce: 'settings#protocol',
  iss: 'settings#protocol',
  enable: 'settings#danger',
  network: 'access#rules',
  access: 'access#allowed',
};
