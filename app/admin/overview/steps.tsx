import type { Home } from '#lib/management/home.ts';
import { homeWords as words } from '#lib/messages/admin/home.ts';
import { Icon, type IconName } from '../../ui/line-icon.tsx';
import { QuickLink } from '../ui/quick-link.tsx';

type StepState = 'done' | 'open' | 'advice';
export type Step = {
  key: 'address' | 'mail' | 'app' | 'signIn' | 'admin' | 'factor' | 'backup';
  state: StepState;
  text: string;
  /** Where it is done. */
  link?: { href: string; label: string };
  command?: string;
};

const looks: Record<StepState, { icon: IconName; tone: string }> = {
  done: { icon: 'check', tone: 'border-accent-line bg-accent-tint text-accent' },
  open: { icon: 'chevron', tone: 'border-line-strong text-ink-soft' },
  advice: { icon: 'info', tone: 'border-info-line bg-info-tint text-info' },
};

/** The steps of the set-up, with their state as measured. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="grid gap-5">
      {steps.map(({ key, state, text, link, command }) => (
        <li key={key} id={`step-${key}`} className="flex gap-3">
          <span
            className={`grid size-7 shrink-0 place-items-center rounded-full border ${looks[state].tone}`}
          >
            <Icon name={looks[state].icon} className="size-4" />
          </span>
          <div className="min-w-0">
            <h3 className="font-semibold">
              {words[key].title} <span className="sr-only">({words.states[state]})</span>
            </h3>
            <p className="text-sm wrap-break-word text-ink-soft">{text}</p>
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
      ))}
    </ol>
  );
}

/** The steps in the order in which they are taken. */
export function stepsOf(home: Home): Step[] {
  return [
    addressStep(home.address),
    mailStep(home.mail),
    home.hasApp
      ? { ...done('app'), link: { href: '/admin/clients', label: words.app.doneLink } }
      : open('app', '/admin/clients/new'),
    home.hasSignIn ? done('signIn') : open('signIn', '/admin/traces'),
    home.hasSecondAdmin ? done('admin') : open('admin', '/admin/people/new'),
    home.hasFactor ? done('factor') : open('factor', '/account/security'),
    backupStep(home.backup),
  ];
}

type Plain = 'app' | 'signIn' | 'admin' | 'factor';

const done = (key: Plain): Step => ({ key, state: 'done', text: words[key].done });

function open(key: Plain, href: string): Step {
  const { open: text, openLink: label } = words[key];
  return { key, state: 'open', text, link: { href, label } };
}

function addressStep({ issuer, opened, is }: Home['address']): Step {
  const state = is === 'right' ? 'done' : is === 'local' || is === 'unseen' ? 'advice' : 'open';
  return { key: 'address', state, text: words.address[is](issuer, opened) };
}

function mailStep(mail: Home['mail']): Step {
  const key = 'mail';
  if (mail.is === 'off') return { key, state: 'open', text: words.mail.off };
  if (mail.is === 'outbox') {
    const link = { href: '/admin/outbox', label: words.mail.outboxLink };
    return { key, state: 'advice', text: words.mail.outbox, link };
  }
  const { server, from, guessed } = mail;
  const text = guessed ? words.mail.guessed(server, from) : words.mail.on(server, from);
  const link = { href: '/admin/settings/general#mail', label: words.mail.test };
  return { key, state: guessed ? 'open' : 'done', text, link };
}

function backupStep(backup: Home['backup']): Step {
  const key = 'backup';
  if (backup.is === 'off')
    return { key, state: 'advice', text: words.backup.off, command: 'npm run cli -- backup' };
  const { folder, hours, last, late } = backup;
  const text = late
    ? words.backup.late(folder, last?.toISOString())
    : last
      ? words.backup.on(folder, hours, last.toISOString())
      : words.backup.first(folder);
  return { key, state: late ? 'open' : 'done', text };
}
