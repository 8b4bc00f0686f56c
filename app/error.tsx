'use client';

import { useFailureWords } from './failure-words.tsx';
import { ButtonLink } from './ui/button.tsx';
import { Icon } from './ui/line-icon.tsx';
import { Mark } from './ui/mark.tsx';

/** Shown when a page failed. The digest leads to the log line. */
export default function PageFailed({ error }: { error: Error & { digest?: string } }) {
  const words = useFailureWords();
  return (
    <div className="gh-gate">
      <title>{`${words?.title} · ${words?.product}`}</title>
      <header className="gh-gate-head">
        <a className="gh-brand" href="/">
          <Mark />
          <span>{words?.product}</span>
        </a>
      </header>
      <main className="gh-card mb-6!">
        <div className="gh-symbol gh-symbol-danger">
          <Icon name="alert" className="size-6" />
        </div>
        <h1 className="gh-title">{words?.title}</h1>
        <p className="gh-text">{words?.text}</p>
        {error.digest && (
          <p className="gh-small">
            {words?.request} <bdi className="font-medium text-ink">{error.digest}</bdi>
          </p>
        )}
        <div className="mt-6 grid gap-3">
          {/* Loads the same page again, with a new request. */}
          <ButtonLink wide href="">
            {words?.retry}
          </ButtonLink>
          <ButtonLink kind="secondary" wide href="/">
            {words?.home}
          </ButtonLink>
        </div>
      </main>
    </div>
  );
}
