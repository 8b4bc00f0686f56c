import type { ReactNode } from 'react';
import type { Role } from '#lib/people/roles.ts';
import { pageLocale } from '../../locale.ts';
import { AccountFrame } from '../ui/frame.tsx';

/** The address of an app's page for its developers, or of one of its attempts. */
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

/** The frame of the pages for developers. As in the dashboard, what they say is English. */
export async function DeveloperFrame({ title, heading, lead, role, up, children }: Props) {
  return (
    <AccountFrame
      locale={await pageLocale()}
      at="/account/apps"
      title={title}
      heading={<span lang="en">{heading ?? title}</span>}
      lead={<span lang="en">{lead}</span>}
      role={role}
    >
      <div lang="en" dir="ltr" className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {up && (
          <p className="text-sm">
            <a className="gh-link inline-block py-1" href={up.href}>
              ← {up.label}
            </a>
          </p>
        )}
        {children}
      </div>
    </AccountFrame>
  );
}
