import type { ReactNode } from 'react';
import { pageRequest } from '#lib/http/next.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { sayIn, type Text } from '#lib/messages/text.ts';
import { permissionsOf } from '#lib/people/roles.ts';
import type { OwnedKind } from '#lib/store/file-owned.ts';
import { currentSession } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { type Page, type PagePath, pages } from '../pages.ts';
import { AdminNotice } from './admin-notice.tsx';
import { Allowed } from './allowed.tsx';
import { KeptNotice } from './kept.tsx';
import { QuickLink } from './quick-link.tsx';

type AdminPageProps = {
  title: string;
  /** Shown instead of the title when it contains user-supplied text. */
  heading?: ReactNode;
  text?: ReactNode;
  actions?: ReactNode;
  up?: PagePath | { href: string; label: string };
  /** `narrow` for forms. */
  width?: 'narrow' | 'wide';
  /** The kind of thing it shows, if the configuration file manages that. */
  kept?: OwnedKind | false;
  children: ReactNode;
};

/**
 * A dashboard page: title, result of the last action, content. It shows what the reader's role
 * allows.
 */
export async function AdminPage({
  title,
  heading = title,
  text,
  actions,
  up,
  width = 'wide',
  kept,
  children,
}: AdminPageProps) {
  const words = await pageText();
  const request = await pageRequest();
  const notice = await readFlash(request, request.page);
  const told = sayIn(words.locale)(notice?.told?.key, notice?.told?.values);
  const parent = typeof up === 'string' ? { href: up, label: titleOf(up, words) } : up;
  const role = (await currentSession())?.user.role ?? 'none';
  return (
    <Allowed permissions={permissionsOf(role)}>
      <div className={width === 'narrow' ? 'max-w-3xl' : undefined}>
        <PageTitle title={title} locale={words.locale} />
        {parent && (
          <p className="mb-2 text-sm">
            <QuickLink className="gh-link inline-block py-1" href={parent.href}>
              ← {parent.label}
            </QuickLink>
          </p>
        )}
        <PageHeader title={heading} text={text} actions={actions} />
        <div className="group/page grid grid-cols-[minmax(0,1fr)] gap-6">
          {told && (
            // Beside a refusal it would be what another tab did.
            <div className="group-has-data-refusal/page:hidden">
              <AdminNotice kind="success">{told}</AdminNotice>
            </div>
          )}
          {kept && <KeptNotice kind={kept} />}
          {children}
        </div>
      </div>
    </Allowed>
  );
}

function titleOf(path: PagePath, text: Text): string {
  const { title = 'frame.title' }: Page = pages[path];
  return text(title);
}
