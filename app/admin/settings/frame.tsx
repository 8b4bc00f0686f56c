import type { ReactNode } from 'react';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import type { OwnedKind } from '#lib/store/file-owned.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { type SettingsTab, settingsAt, settingsTabs } from './tabs.ts';

/** One of the pages of the settings, with the way to the others. */
export function SettingsFrame({
  tab,
  width = 'narrow',
  kept,
  children,
}: {
  tab: SettingsTab;
  width?: 'narrow' | 'wide';
  kept?: OwnedKind | false;
  children: ReactNode;
}) {
  const { label, lead } = words.tabs[tab];
  return (
    <AdminPage
      title={words.titleOf(label)}
      heading={words.title}
      text={lead}
      width={width}
      kept={kept}
    >
      <nav aria-label={words.pages} className="-mt-2 border-b border-line">
        <ul className="flex flex-wrap gap-x-1">
          {settingsTabs.map((each) => (
            <li key={each}>
              <QuickLink
                href={settingsAt(each)}
                aria-current={each === tab ? 'page' : undefined}
                className="-mb-px block border-b-2 border-transparent px-3 py-2.5 text-sm font-semibold whitespace-nowrap text-ink-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-accent"
              >
                {words.tabs[each].label}
              </QuickLink>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </AdminPage>
  );
}
