import type { ReactNode } from 'react';
import { QuickLink } from './quick-link.tsx';

type Tab = { href: string; label: string; isOpen: boolean };

/** Links between the pages about one thing, as tabs. */
export function Tabs({
  label,
  tabs,
  children,
}: {
  label: string;
  tabs: readonly Tab[];
  /** At the end of the row. */
  children?: ReactNode;
}) {
  return (
    <nav aria-label={label} className="-mt-2 border-b border-line">
      <ul className="flex flex-wrap gap-x-1">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <QuickLink
              href={tab.href}
              aria-current={tab.isOpen ? 'page' : undefined}
              className="-mb-px block border-b-2 border-transparent px-3 py-2.5 text-sm font-semibold whitespace-nowrap text-ink-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-accent"
            >
              {tab.label}
            </QuickLink>
          </li>
        ))}
        {children}
      </ul>
    </nav>
  );
}
