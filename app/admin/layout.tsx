import type { ReactNode } from 'react';
import { pageRequest } from '#lib/http/next.ts';
import { permissionsOf } from '#lib/people/roles.ts';
import { turnOf } from '#lib/sealed/browser.ts';
import { readBranding } from '#lib/store/branding.ts';
import { currentSession } from '../guards.ts';
import { pageText } from '../locale.ts';
import { Brand } from '../ui/brand.tsx';
import { browserMessagesIn } from '../ui/browser-messages.ts';
import { WithMessages } from '../ui/browser-text.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { PaletteDialog } from './search/palette-dialog.tsx';
import { SearchBox } from './search/search-box.tsx';
import { SectionNav } from './section-nav.tsx';
import { sectionsFor } from './sections.ts';
import { Allowed } from './ui/allowed.tsx';
import { DashboardScript } from './ui/dashboard-script.tsx';
import { Turn } from './ui/forms/turn.tsx';

/** The frame of the dashboard. It guards nothing: each page and action checks access itself. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const text = await pageText();
  // Next.js renders this concurrently with the root layout, which reads the branding too, not after
  // it.
  await readBranding();
  const role = (await currentSession())?.user.role ?? 'none';
  return (
    <WithMessages given={browserMessagesIn(text.locale)}>
      <Allowed permissions={permissionsOf(role)}>
        <DashboardScript />
        <a
          href="#content"
          className="gh-button gh-button-primary absolute start-4 top-3 z-10 not-focus:sr-only"
        >
          {text('frame.skip')}
        </a>
        <PaletteDialog />
        <header className="border-b border-line bg-surface">
          <div className="mx-auto flex max-w-[90rem] flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 sm:px-6">
            <Brand href="/admin" />
            <SearchBox />
            <div className="flex items-center gap-1 sm:gap-2">
              <ButtonLink kind="quiet" size="small" href="/account">
                {text('frame.account')}
              </ButtonLink>
              <ButtonLink kind="secondary" size="small" href="/logout">
                {text('frame.signOut')}
              </ButtonLink>
            </div>
          </div>
        </header>
        <div className="mx-auto grid max-w-[90rem] grid-cols-[minmax(0,1fr)] gap-x-8 px-4 pt-3 pb-16 sm:px-6 lg:pt-10 lg:has-[>nav]:grid-cols-[11rem_minmax(0,1fr)]">
          <SectionNav groups={await sectionsFor(role, text)} />
          <main id="content" tabIndex={-1} className="min-w-0 pt-5 outline-none lg:pt-0">
            {(role === 'support' || role === 'auditor') && (
              <p id="role" className="mb-5 text-sm text-ink-soft">
                {text(`frame.yourRole.${role}`)}
              </p>
            )}
            <Turn turn={turnOf(await pageRequest())}>{children}</Turn>
          </main>
        </div>
      </Allowed>
    </WithMessages>
  );
}
