import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Day } from '../../ui/day.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { rich } from '../../ui/rich.tsx';
import { Ago } from '../ui/ago.tsx';

/** A browser, in our own words; null if unknown. */
export type DeviceFace = { browser: string | null; system: string | null };

type SessionFace = DeviceFace & {
  id: string;
  /** Null if unknown. */
  network: string | null;
  /** Whether the reader is on the same network. */
  sameNetwork: boolean;
  lastSeenAt: string;
  createdAt: string;
  /** The user chose not to stay signed in. */
  brief: boolean;
  current: boolean;
};

type SessionsProps = { csrf: string; sessions: readonly SessionFace[]; locale: Locale };

/** The user's sessions: this one is marked, the others can be ended. */
export function SessionsView({ csrf, sessions, locale }: SessionsProps) {
  const text = textIn(locale);
  const others = sessions.filter((session) => !session.current);
  const here = sessions.filter((session) => session.current);
  return (
    <Card title={text('sessions.list')}>
      <ul className="divide-y divide-line">
        {alike([...here, ...others]).map(([session, ...more]) => (
          <li key={session.id} className="py-4 first:pt-0 last:pb-0">
            {more.length === 0 ? (
              <Device of={session} csrf={csrf} locale={locale} />
            ) : (
              <details>
                <summary className="cursor-pointer font-semibold">
                  {text('sessions.several', {
                    device: nameOf(session, locale),
                    count: more.length + 1,
                  })}
                  <span className="block text-sm font-normal text-ink-soft">
                    <Seen of={session} locale={locale} />
                    {' · '}
                    <Network of={session} locale={locale} />
                  </span>
                </summary>
                <ul className="mt-4 grid gap-4 ps-4">
                  {[session, ...more].map((one) => (
                    <li key={one.id}>
                      <Device of={one} csrf={csrf} locale={locale} />
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Confirm
          className="mt-5"
          label={text('sessions.endOthers')}
          text={text('sessions.endOthersText')}
        >
          <form method="post" action="/account/sessions/submit">
            <Hidden fields={{ csrf, others: 'yes' }} />
            <Button kind="danger" size="small">
              {text('sessions.endOthersConfirm')}
            </Button>
          </form>
        </Confirm>
      )}
    </Card>
  );
}

/** The same kind of browser in the same network, latest first; this one stands alone. */
function alike(sessions: readonly SessionFace[]): [SessionFace, ...SessionFace[]][] {
  const groups = new Map<string, [SessionFace, ...SessionFace[]]>();
  for (const session of sessions) {
    const { current, browser, system, network } = session;
    const key = current ? 'current' : JSON.stringify([browser, system, network]);
    const group = groups.get(key);
    if (group) group.push(session);
    else groups.set(key, [session]);
  }
  return [...groups.values()];
}

type DeviceProps = { of: SessionFace; csrf: string; locale: Locale };

function Device({ of: session, csrf, locale }: DeviceProps) {
  const text = textIn(locale);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">
          {nameOf(session, locale)}{' '}
          {session.current && <Badge tone="accent">{text('sessions.current')}</Badge>}
        </p>
        <p className="text-sm text-ink-soft">
          <Seen of={session} locale={locale} />
          {' · '}
          {rich('sessions.since', { date: <Day at={session.createdAt} locale={locale} /> }, locale)}
          {' · '}
          <Network of={session} locale={locale} />
          {session.brief && ` · ${text('sessions.brief')}`}
        </p>
      </div>
      {!session.current && (
        <form method="post" action="/account/sessions/submit">
          <Hidden fields={{ csrf, session: session.id }} />
          <Button
            kind="secondary"
            size="small"
            aria-label={text('sessions.endLabel', { device: nameOf(session, locale) })}
          >
            {text('sessions.end')}
          </Button>
        </form>
      )}
    </div>
  );
}

/** Activity is recorded only every five minutes, so anything newer counts as now. */
const precision = 5 * 60_000;

function Seen({ of, locale }: { of: SessionFace; locale: Locale }) {
  if (of.current) return textIn(locale)('sessions.active');
  if (Date.now() - new Date(of.lastSeenAt).getTime() <= precision)
    return textIn(locale)('sessions.justNow');
  return rich('sessions.seen', { date: <Ago at={of.lastSeenAt} locale={locale} /> }, locale);
}

function Network({ of, locale }: { of: SessionFace; locale: Locale }) {
  if (of.network === null) return textIn(locale)('sessions.noNetwork');
  const address = <bdi className="wrap-anywhere">{of.network}</bdi>;
  return rich(of.sameNetwork ? 'sessions.thisNetwork' : 'sessions.network', { address }, locale);
}

export function nameOf({ browser, system }: DeviceFace, locale: Locale): string {
  const text = textIn(locale);
  if (browser && system) return text('sessions.device', { browser, system });
  return browser ?? system ?? text('sessions.unknown');
}
