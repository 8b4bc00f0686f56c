'use client';

import type { ReactNode } from 'react';
import { PathDrawing } from '../../../ui/attempts/path.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { useText } from '../../../ui/browser-text.tsx';
import { Card } from '../../../ui/card.tsx';
import { MomentIn } from '../../../ui/moment-in.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { clientPage } from '../../addresses.ts';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { FixForm } from '../fix-form.tsx';
import type { Heard, HeardAttempt } from './heard.ts';

type Props = {
  clientId: string;
  heard: Heard;
  /** The ID of what the page shows (`newsId`), by which it recognises news. */
  known?: string;
  /** The page shows something only once, so changes are made in another tab. */
  keepsPage?: boolean;
  /** The reader's time zone. */
  zone?: string;
};

/**
 * The latest attempts of an app. While the page is open, each appears as it happens
 * (`public/live.js`).
 */
export function AttemptsCard({ clientId, heard, known, keepsPage = false, zone = 'UTC' }: Props) {
  const text = useText();
  const { attempts, works } = heard;
  const page = clientPage(clientId);
  return (
    <Card
      id="attempts"
      title={text('listening.title')}
      text={text('listening.text')}
      actions={<State page={page} />}
    >
      <div
        id="heard"
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        data-live={keepsPage ? `${page}?keeps` : page}
        data-listen={`/admin/listen?client=${encodeURIComponent(clientId)}`}
        data-known={known}
      >
        <div id="heard-works" className="empty:hidden">
          {works && <Works works={works} zone={zone} />}
        </div>
        <p id="heard-none" className="text-ink-soft empty:hidden">
          {attempts.length === 0 && text('listening.none')}
        </p>
        <ol
          id="heard-list"
          aria-label={text('listening.list')}
          aria-live="polite"
          className="grid gap-3 empty:hidden"
        >
          {attempts.map((attempt) => (
            <Attempt key={attempt.id} attempt={attempt} zone={zone}>
              {keepsPage ? (
                <FixElsewhere attempt={attempt} />
              ) : (
                <FixHere clientId={clientId} attempt={attempt} />
              )}
            </Attempt>
          ))}
        </ol>
      </div>
    </Card>
  );
}

type WorksProps = { works: NonNullable<Heard['works']>; zone: string };

function Works({ works: { sentence, at }, zone }: WorksProps) {
  const text = useText();
  return (
    <AdminNotice kind="success" title={text('listening.works')}>
      <UserText text={sentence} /> <MomentIn locale={text.locale} at={new Date(at)} zone={zone} />
    </AdminNotice>
  );
}

function FixElsewhere({ attempt: { id, offer } }: { attempt: HeardAttempt }) {
  const text = useText();
  if (!offer) return null;
  return (
    <a
      className="gh-button gh-button-secondary gh-button-small"
      href={`/admin/traces/${id}`}
      target="_blank"
      rel="noreferrer"
    >
      {text('listening.fix')}
    </a>
  );
}

function FixHere({ clientId, attempt }: { clientId: string; attempt: HeardAttempt }) {
  const text = useText();
  const { id, offer, sentence } = attempt;
  if (!offer) return null;
  return (
    <FixForm
      clientId={clientId}
      traceId={id}
      offer={offer}
      label={text('listening.fixOf', { sentence })}
    />
  );
}

/** Whether the page is listening; without scripts, a link to check again. */
function State({ page }: { page: string }) {
  const text = useText();
  // No fragment: following a link with one a second time would not load the page.
  const check = (
    <a className="gh-link" href={page}>
      {text('listening.check')}
    </a>
  );
  return (
    <p role="status" className="text-sm text-ink-soft">
      <span data-state="off">{check}</span>
      <span data-state="listening" hidden>
        {text('listening.listening')}
      </span>
      <span data-state="paused" hidden>
        {text('listening.paused')}
      </span>
      <span data-state="elsewhere" hidden>
        {text('listening.elsewhere')} {check}
      </span>
    </p>
  );
}

const tones = { done: 'accent', waits: 'neutral', denied: 'neutral', refused: 'danger' } as const;

type AttemptProps = { attempt: HeardAttempt; zone: string; children: ReactNode };

function Attempt({ attempt, zone, children }: AttemptProps) {
  const text = useText();
  const { id, path, at, tone, sentence, todo, sentBy, forFile } = attempt;
  return (
    <li
      id={`heard-${id}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-xl border border-line p-3 text-sm"
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="min-w-0">
          <Badge tone={tones[tone]}>{text(`listening.tones.${tone}`)}</Badge>{' '}
          <strong className="font-semibold">
            <UserText text={sentence} />
          </strong>
        </span>
        <span className="text-ink-soft">
          <MomentIn locale={text.locale} at={new Date(at)} zone={zone} />
        </span>
      </p>
      <PathDrawing path={path} text={text} />
      {todo && <p>{todo}</p>}
      {sentBy && (
        <p className="text-ink-soft">
          {text('attempts.sentBy')}: {sentBy}
        </p>
      )}
      {forFile && <p>{forFile}</p>}
      <Facts attempt={attempt} />
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <a
          className="gh-link py-1"
          href={`/admin/traces/${id}`}
          target="_blank"
          rel="noreferrer"
          aria-label={text('listening.detailsOf', { sentence })}
        >
          {text('listening.details')}
        </a>
        {children}
      </div>
    </li>
  );
}

/** What was received next to what was expected. */
function Facts({ attempt: { received, expected } }: { attempt: HeardAttempt }) {
  const text = useText();
  if (!received && expected.length === 0) return null;
  const isMarked = received && expected.length > 0 && received.before + received.after !== '';
  return (
    <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
      <dt className="text-ink-soft">{text('listening.received')}</dt>
      <dd className="min-w-0">
        {received === null ? (
          text('listening.nothing')
        ) : (
          <code className="wrap-anywhere">
            <UserText text={received.before} />
            {isMarked ? (
              <mark className="rounded-sm bg-danger-tint text-danger underline">
                <UserText text={received.differing || '␣'} />
              </mark>
            ) : (
              <UserText text={received.differing} />
            )}
            <UserText text={received.after} />
          </code>
        )}
      </dd>
      {expected.length > 0 && (
        <>
          <dt className="text-ink-soft">{text('listening.expected')}</dt>
          <dd className="min-w-0">
            {expected.map((text) => (
              <code key={text} className="block wrap-anywhere">
                <UserText text={text} />
              </code>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}
