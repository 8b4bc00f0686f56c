import type { ReactNode } from 'react';
import type { Role } from '#lib/people/roles.ts';
import { pageLocale } from '../../locale.ts';
import { browserMessagesIn } from '../../ui/browser-messages.ts';
import { WithMessages } from '../../ui/browser-text.tsx';
import { PageScript } from '../../ui/page-script.tsx';
import { AccountFrame } from '../ui/frame.tsx';

export function developerPage(clientId: string, traceId?: string): string {
  const page = `/account/developer/${encodeURIComponent(clientId)}`;
  return traceId ? `${page}/${encodeURIComponent(traceId)}` : page;
}

type Props = {
  title: string;
  heading?: ReactNode;
  lead: string;
  role: Role;
  up?: { href: string; label: string };
  children: ReactNode;
};

/** The frame of the developer pages, which reuse parts of the dashboard. */
export async function DeveloperFrame({ title, heading, lead, role, up, children }: Props) {
  const locale = await pageLocale();
  return (
    <WithMessages given={browserMessagesIn(locale)}>
      <AccountFrame
        locale={locale}
        at="/account/apps"
        title={title}
        heading={heading ?? title}
        lead={lead}
        role={role}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {up && (
            <p className="text-sm">
              <a className="gh-link inline-block py-1" href={up.href}>
                ← {up.label}
              </a>
            </p>
          )}
          {children}
        </div>
        <PageScript />
      </AccountFrame>
    </WithMessages>
  );
}
