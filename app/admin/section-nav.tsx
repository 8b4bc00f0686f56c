'use client';

import { usePathname } from 'next/navigation';
import { frameWords } from '#lib/messages/admin/frame.ts';
import { classNames } from '../ui/class-names.ts';
import { outboxSection, type Section, sections } from './sections.ts';
import { useMayOpen } from './ui/allowed.tsx';
import { QuickLink } from './ui/quick-link.tsx';

/** The sections: a column if there is room, else a scrolling row above the page. */
export function SectionNav({ outbox }: { outbox: boolean }) {
  const path = usePathname();
  // The set-up has its own way through.
  if (path.startsWith('/admin/set-up')) return null;
  return (
    <nav
      aria-label={frameWords.sections}
      className="min-w-0 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:pb-2"
    >
      <ul className="flex gap-1 lg:sticky lg:top-6 lg:grid">
        {(outbox ? [...sections, outboxSection] : sections).map((section) => (
          <Item key={section.href} section={section} path={path} />
        ))}
      </ul>
    </nav>
  );
}

function Item({ section, path }: { section: Section; path: string }) {
  const { href, label, also, within } = section;
  const isIn = (area: string) => path === area || path.startsWith(`${area}/`);
  const current =
    path === also || within?.some(isIn) || (href === '/admin' ? path === href : isIn(href));
  if (!useMayOpen(href)) return null;
  return (
    <li>
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
}
