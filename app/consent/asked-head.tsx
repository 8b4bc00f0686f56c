import type { ReactNode } from 'react';
import type { FacedApp } from '#lib/interaction/app-page.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { classNames } from '../ui/class-names.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/line-icon.tsx';
import { rich } from '../ui/rich.tsx';
import { UserText } from '../ui/user-text.tsx';
import { AgentNote } from './agent-note.tsx';
import { UnverifiedNote } from './unverified-note.tsx';

type AskedHeadProps = {
  app: FacedApp;
  face: ReactNode;
  /** The picture of what the app would get access to. */
  into: ReactNode;
  question: 'consent.title' | 'device.confirmTitle';
  /** `p` for a sample on another page, where it is not a heading. */
  heading?: 'h1' | 'p';
  locale: Locale;
};

/** Two pictures, and the question that names the app. */
export function AskedHead({ app, heading: Title = 'h1', locale, ...props }: AskedHeadProps) {
  const long = app.name.length > 40;
  return (
    <>
      <div className="flex items-center gap-2.5 text-line-strong">
        {props.face}
        <Icon name="swap" className="size-5" />
        <span className="grid size-13 place-items-center rounded-[28%] border border-line bg-sunken text-house">
          {props.into}
        </span>
      </div>
      <Title
        className={classNames('mt-4', long ? 'text-lg leading-snug font-semibold' : 'gh-title')}
      >
        {rich(
          props.question,
          { app: <UserText className="text-accent" text={app.name} /> },
          locale,
        )}
      </Title>
    </>
  );
}

type AskedNotesProps = { app: FacedApp; error: string | undefined; locale: Locale };

/** What to know before deciding: why the page is shown again, and what the app is. */
export function AskedNotes({ app, error, locale }: AskedNotesProps) {
  return (
    <>
      <ErrorNotice error={error} locale={locale} />
      {app.unverified && <UnverifiedNote app={app.unverified} locale={locale} />}
      {app.agent && <AgentNote agent={app.agent} locale={locale} />}
    </>
  );
}
