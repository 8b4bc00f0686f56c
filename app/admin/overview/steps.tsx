import type { Home } from '#lib/management/home.ts';
import { shortMomentIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { Icon, type IconName } from '../../ui/line-icon.tsx';
import { QuickLink } from '../ui/quick-link.tsx';

type StepState = 'done' | 'open' | 'advice';
export type Step = {
  key: 'address' | 'mail' | 'app' | 'signIn' | 'admin' | 'factor' | 'backup';
  state: StepState;
  text: string;
  /** Where to do this step. */
  link?: { href: string; label: string };
  command?: string;
};

const looks: Record<StepState, { icon?: IconName; tone: string }> = {
  done: { icon: 'check', tone: 'border-accent-line bg-accent-tint text-accent' },
  open: { tone: 'border-line-strong' },
  advice: { icon: 'info', tone: 'border-info-line bg-info-tint text-info' },
};

/** The steps of the set-up, with their state as detected. */
export async function StepList({ steps }: { steps: readonly Step[] }) {
  const text = await pageText();
  return (
    <ol className="grid gap-5">
      {steps.map(({ key, state, text: says, link, command }) => {
        const { icon, tone } = looks[state];
        return (
          <li key={key} id={`step-${key}`} className="flex gap-3">
            <span className={`grid size-7 shrink-0 place-items-center rounded-full border ${tone}`}>
              {icon && <Icon name={icon} className="size-4" />}
            </span>
            <div className="min-w-0">
              <h3 className="font-semibold">
                {text(`start.${key}.title`)}{' '}
                <span className="sr-only">({text(`start.states.${state}`)})</span>
              </h3>
              <p className="text-sm wrap-break-word text-ink-soft">{says}</p>
              {command && (
                <code className="mt-1 block rounded-lg border border-line bg-sunken px-3 py-2 text-xs break-all">
                  {command}
                </code>
              )}
              {link && (
                <p className="mt-1 text-sm">
                  <QuickLink className="gh-link font-medium" href={link.href}>
                    {link.label}
                  </QuickLink>
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The steps in the order in which to take them. @param zone the reader's time zone */
export function stepsOf(text: Text, home: Home, zone: string): Step[] {
  return [
    addressStep(text, home.address),
    mailStep(text, home.mail),
    home.hasApp
      ? {
          ...done(text, 'app'),
          link: { href: '/admin/clients', label: text('start.app.doneLink') },
        }
      : open(text, 'app', '/admin/clients/new'),
    home.hasSignIn ? done(text, 'signIn') : open(text, 'signIn', '/admin/traces'),
    home.hasSecondAdmin ? done(text, 'admin') : open(text, 'admin', '/admin/people/new'),
    home.hasFactor ? done(text, 'factor') : open(text, 'factor', '/account/security'),
    backupStep(text, home.backup, (at) => shortMomentIn(text.locale, at, zone)),
  ];
}

type Plain = 'app' | 'signIn' | 'admin' | 'factor';

const done = (text: Text, key: Plain): Step => ({
  key,
  state: 'done',
  text: text(`start.${key}.done`),
});

function open(text: Text, key: Plain, href: string): Step {
  const link = { href, label: text(`start.${key}.openLink`) };
  return { key, state: 'open', text: text(`start.${key}.open`), link };
}

function addressStep(text: Text, { issuer, opened, is }: Home['address']): Step {
  const state = is === 'right' ? 'done' : is === 'local' || is === 'unseen' ? 'advice' : 'open';
  return { key: 'address', state, text: addressText(text, { issuer, opened, is }) };
}

/** Says whether the address is right. */
export function addressText(text: Text, { issuer, opened, is }: Home['address']): string {
  return text(`start.address.${is}`, {
    issuer,
    opened: opened || text('start.address.noHost'),
  });
}

function mailStep(text: Text, mail: Home['mail']): Step {
  const key = 'mail';
  if (mail.is === 'off') return { key, state: 'open', text: text('start.mail.off') };
  if (mail.is === 'outbox') {
    const link = { href: '/admin/outbox', label: text('start.mail.outboxLink') };
    return { key, state: 'advice', text: text('start.mail.outbox'), link };
  }
  const { server, from, guessed } = mail;
  const says = guessed
    ? text('start.mail.guessed', { server, from })
    : text('start.mail.on', { server, from });
  const link = { href: '/admin/settings/general#mail', label: text('start.mail.test') };
  return { key, state: guessed ? 'open' : 'done', text: says, link };
}

type SayTime = (at: Date) => string;

function backupStep(text: Text, backup: Home['backup'], say: SayTime): Step {
  const key = 'backup';
  if (backup.is === 'off')
    return {
      key,
      state: 'advice',
      text: text('start.backup.off'),
      command: 'npm run cli -- backup',
    };
  const { folder, hours, last, late } = backup;
  const says = late
    ? lateText(text, folder, last && say(last))
    : last
      ? text('start.backup.on', { folder, hours, last: say(last) })
      : text('start.backup.first', { folder });
  return { key, state: late ? 'open' : 'done', text: says };
}

const lateText = (text: Text, folder: string, last: string | null) =>
  last ? text('start.backup.late', { folder, last }) : text('start.backup.none', { folder });
