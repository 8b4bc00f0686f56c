import type { ReactNode } from 'react';
import { hasOutbox } from '#lib/mail/outbox.ts';
import { frameWords } from '#lib/messages/admin/frame.ts';
import { Brand } from '../ui/brand.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { SectionNav } from './section-nav.tsx';

/** The frame of the dashboard. It guards nothing: each page and action checks access itself. */
export default function AdminLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#content"
        className="gh-button gh-button-primary absolute start-4 top-3 z-10 not-focus:sr-only"
      >
        {frameWords.skip}
      </a>
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-2 gap-y-1 px-4 py-2.5 sm:px-6">
          <Brand href="/admin" />
          <div className="flex items-center gap-1 sm:gap-2">
            <ButtonLink kind="quiet" size="small" href="/account">
              {frameWords.account}
            </ButtonLink>
            <ButtonLink kind="secondary" size="small" href="/logout">
              {frameWords.signOut}
            </ButtonLink>
          </div>
        </div>
      </header>
      <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-x-8 px-4 pt-3 pb-16 sm:px-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:pt-10">
        <SectionNav outbox={hasOutbox()} />
        <main id="content" tabIndex={-1} className="min-w-0 pt-5 outline-none lg:pt-0">
          {children}
        </main>
      </div>
    </>
  );
}
