import type { FacedApp } from '#lib/interaction/app-page.ts';
import { textIn } from '#lib/messages/text.ts';
import { languageShown } from '#lib/people/terms.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { rich } from '../../ui/rich.tsx';
import { stripBidi } from '../../ui/strip-bidi.ts';
import { TermsText } from '../../ui/terms-text.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ScreenProps } from '../../ui/view-models.ts';

type TermsProps = ScreenProps & {
  csrf: string;
  flow?: string;
  back?: string;
  terms: { id: string; texts: Readonly<Record<string, string>> };
  /** Until then they can put it off; null: they can't. */
  until: Date | null;
  app: FacedApp | null;
};

/** The terms, with what happens if somebody does not agree. */
export function TermsView({ csrf, flow, back, terms, until, app, host, locale }: TermsProps) {
  const text = textIn(locale);
  const title = app ? text('terms.ofApp', { app: stripBidi(app.name) }) : text('terms.title');
  const language = languageShown(terms.texts, locale);
  return (
    <Gate title={title} host={host} accent={app?.accent} locale={locale}>
      {app && (
        <AppMark id={app.id} name={app.name} image={app.logo} className="mb-4 size-13 text-2xl" />
      )}
      <h1 className="gh-title">
        {app ? rich('terms.ofApp', { app: <UserText text={app.name} /> }, locale) : title}
      </h1>
      <p className="gh-text">
        {until
          ? rich('terms.until', { date: <LocalTime at={until} locale={locale} /> }, locale)
          : text('terms.text')}
      </p>
      <TermsText texts={terms.texts} locale={locale} />
      <form method="post" action="/login/terms/submit" className="grid gap-3">
        <Hidden fields={{ csrf, flow, back, terms: terms.id, language }} />
        <Button wide name="answer" value="agreed">
          {text('terms.agree')}
        </Button>
        {until && (
          <Button wide kind="secondary" name="answer" value="later">
            {text('terms.later')}
          </Button>
        )}
        <Button wide kind="secondary" name="answer" value="declined">
          {text('terms.decline')}
        </Button>
      </form>
      <p className="mt-5 text-sm text-ink-soft">
        {text('terms.declineNote')}{' '}
        <a className="gh-link" href="/account">
          {text('terms.account')}
        </a>
      </p>
    </Gate>
  );
}
