'use client';

import { usePathname } from 'next/navigation';
import { useText } from '../ui/browser-text.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/line-icon.tsx';
import type { Badge } from './badges.ts';
import type { Section } from './sections.ts';

type Groups = readonly (readonly Section[])[];

/** The sections: a column if there is room, otherwise a menu that says which one is open. */
export function SectionNav({ groups }: { groups: Groups }) {
  const text = useText();
  const path = usePathname();
  // The set-up has its own navigation.
  if (path.startsWith('/admin/set-up')) return null;
  const open = groups.flat().find((section) => isCurrent(section, path));
  const listed = groups.map((sections) => (
    <Group key={sections[0]?.href} sections={sections} path={path} />
  ));
  return (
    <nav aria-label={text('frame.sections')} className="min-w-0">
      <ul className="sticky top-6 grid max-lg:hidden">{listed}</ul>
      {/* The key closes the menu on another page. */}
      <details key={path} className="rounded-xl border border-line bg-surface lg:hidden">
        <summary className="cursor-pointer px-4 py-2.5 text-sm font-semibold">
          {text('frame.menu')}
          {': '}
          {open?.label ?? text('frame.title')}
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

function Group({ sections, path }: { sections: readonly Section[]; path: string }) {
  return (
    <li className="border-line not-first:mt-2 not-first:border-t not-first:pt-2">
      <ul className="grid gap-0.5 max-lg:grid-cols-2">
        {sections.map((section) => (
          <Item key={section.href} section={section} current={isCurrent(section, path)} />
        ))}
      </ul>
    </li>
  );
}

function Item({ section, current }: { section: Section; current: boolean }) {
  const { href, label, icon, badge } = section;
  return (
    <li>
      <a
        href={href}
        aria-current={current ? 'page' : undefined}
        className={classNames(
          'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm font-semibold whitespace-nowrap',
          current
            ? 'bg-accent-tint text-accent'
            : 'text-ink-soft hover:bg-accent-tint hover:text-ink',
        )}
      >
        {icon && <Icon name={icon} className="size-4.5" />}
        {label}
        {badge && badge.count > 0 && <Count badge={badge} />}
      </a>
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
