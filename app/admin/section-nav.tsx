'use client';

import { usePathname } from 'next/navigation';
import { useText } from '../ui/browser-text.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/line-icon.tsx';
import { outboxSection, type Section, sectionGroups } from './sections.ts';
import { useMayOpen } from './ui/allowed.tsx';
import { QuickLink } from './ui/quick-link.tsx';

/** What needs attention in a section: how many items, and what they are. */
export type Badge = { href: string; count: number; says: string; urgent: boolean };

type NavProps = { outbox: boolean; badges: readonly Badge[] };

/** The sections: a column if there is room, otherwise a menu that says which one is open. */
export function SectionNav({ outbox, badges }: NavProps) {
  const text = useText();
  const path = usePathname();
  // The set-up has its own navigation.
  if (path.startsWith('/admin/set-up')) return null;
  const groups = outbox ? [...sectionGroups, [outboxSection]] : sectionGroups;
  const open = groups.flat().find((section) => isCurrent(section, path));
  const listed = groups.map((sections) => (
    <Group key={sections[0]?.href} sections={sections} path={path} badges={badges} />
  ));
  return (
    <nav aria-label={text('frame.sections')} className="min-w-0">
      <ul className="sticky top-6 grid max-lg:hidden">{listed}</ul>
      {/* The key closes the menu on another page. */}
      <details key={path} className="rounded-xl border border-line bg-surface lg:hidden">
        <summary className="cursor-pointer px-4 py-2.5 text-sm font-semibold">
          {text('frame.menu')}
          {': '}
          {text(open?.label ?? 'frame.title')}
        </summary>
        <ul className="grid px-2 pb-2">{listed}</ul>
      </details>
    </nav>
  );
}

/** Whether a page belongs to a section. */
function isCurrent({ href, within = [] }: Section, path: string): boolean {
  const isIn = (area: string) => path === area || path.startsWith(`${area}/`);
  return within.some(isIn) || (href === '/admin' ? path === href : isIn(href));
}

type GroupProps = { sections: readonly Section[]; path: string; badges: readonly Badge[] };

/** Sections that belong together. A group of which the role may open nothing leaves no gap. */
function Group({ sections, path, badges }: GroupProps) {
  return (
    <li className="border-line not-first:has-[li]:mt-2 not-first:has-[li]:border-t not-first:has-[li]:pt-2">
      <ul className="grid gap-0.5 max-lg:grid-cols-2">
        {sections.map((section) => (
          <Item
            key={section.href}
            section={section}
            current={isCurrent(section, path)}
            badge={badges.find(({ href }) => href === section.href)}
          />
        ))}
      </ul>
    </li>
  );
}

type ItemProps = { section: Section; current: boolean; badge: Badge | undefined };

function Item({ section: { href, label, icon }, current, badge }: ItemProps) {
  const text = useText();
  if (!useMayOpen(href)) return null;
  return (
    <li>
      <QuickLink
        href={href}
        aria-current={current ? 'page' : undefined}
        className={classNames(
          'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm font-semibold whitespace-nowrap',
          current
            ? 'bg-accent-tint text-accent'
            : 'text-ink-soft hover:bg-accent-tint hover:text-ink',
        )}
      >
        <Icon name={icon} className="size-4.5" />
        {text(label)}
        {badge && <Count badge={badge} />}
      </QuickLink>
    </li>
  );
}

function Count({ badge: { count, says, urgent } }: { badge: Badge }) {
  return (
    <span
      title={says}
      className={classNames(
        'ms-auto rounded-full px-1.5 text-xs leading-5 tabular-nums',
        urgent ? 'bg-danger text-danger-ink' : 'bg-line text-ink',
      )}
    >
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{says}</span>
    </span>
  );
}
