'use client';

import { usePathname } from 'next/navigation';
import { frameWords } from '#lib/messages/admin/frame.ts';
import { classNames } from '../ui/class-names.ts';
import { outboxSection, sections } from './sections.ts';
import { QuickLink } from './ui/quick-link.tsx';

/** The sections: a column if there is room, else a scrolling row above the page. */
export function SectionNav({ outbox }: { outbox: boolean }) {
  const path = usePathname();
  return (
    <nav
      aria-label={frameWords.sections}
      className="min-w-0 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:pb-2"
    >
      <ul className="flex gap-1 lg:sticky lg:top-6 lg:grid">
        {(outbox ? [...sections, outboxSection] : sections).map(({ href, label, also }) => {
          const current =
            path === href || path === also || (href !== '/admin' && path.startsWith(`${href}/`));
          return (
            <li key={href}>
              <QuickLink
                href={href}
                aria-current={current ? 'page' : undefined}
                className={classNames(
                  'block rounded-lg px-3 py-2 text-sm font-semibold whitespace-nowrap',
                  current
                    ? 'bg-accent-tint text-accent'
                    : 'text-ink-soft hover:bg-accent-tint hover:text-ink',
                )}
              >
                {label}
              </QuickLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
