'use client';

import { usePathname } from 'next/navigation';
import { useText } from '../ui/browser-text.tsx';
import { classNames } from '../ui/class-names.ts';
import { outboxSection, type Section, sections } from './sections.ts';
import { useMayOpen } from './ui/allowed.tsx';
import { QuickLink } from './ui/quick-link.tsx';

/** The sections: a column if there is room, else a menu that says which one is open. */
export function SectionNav({ outbox }: { outbox: boolean }) {
  const text = useText();
  const path = usePathname();
  // The set-up has its own way through.
  if (path.startsWith('/admin/set-up')) return null;
  const shown = outbox ? [...sections, outboxSection] : sections;
  const items = shown.map((section) => (
    <Item key={section.href} section={section} current={isCurrent(section, path)} />
  ));
  return (
    <nav aria-label={text('frame.sections')} className="min-w-0">
      <ul className="sticky top-6 grid gap-1 max-lg:hidden">{items}</ul>
      {/* Another page begins with a menu that is shut. */}
      <details key={path} className="rounded-xl border border-line bg-surface lg:hidden">
        <summary className="cursor-pointer px-4 py-2.5 text-sm font-semibold">
          {text('frame.menu')}
          {': '}
          {text(shown.find((section) => isCurrent(section, path))?.label ?? 'frame.title')}
        </summary>
        <ul className="grid grid-cols-2 gap-1 px-2 pb-2">{items}</ul>
      </details>
    </nav>
  );
}

/** Whether a page stands in a section. */
function isCurrent({ href, within = [] }: Section, path: string): boolean {
  const isIn = (area: string) => path === area || path.startsWith(`${area}/`);
  return within.some(isIn) || (href === '/admin' ? path === href : isIn(href));
}

function Item({ section: { href, label }, current }: { section: Section; current: boolean }) {
  const text = useText();
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
        {text(label)}
      </QuickLink>
    </li>
  );
}
