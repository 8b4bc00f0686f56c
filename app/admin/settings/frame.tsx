import type { ReactNode } from 'react';
import type { OwnedKind } from '#lib/store/file-owned.ts';
import { pageText } from '../../locale.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { type SettingsTab, settingsAt, settingsTabs } from './tabs.ts';

/** One of the settings pages, with links to the others. */
export async function SettingsFrame({
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
  const text = await pageText();
  return (
    <AdminPage
      title={text('settings.titleOf', { tab: text(`settings.tabs.${tab}.label`) })}
      heading={text('settings.title')}
      text={text(`settings.tabs.${tab}.lead`)}
      width={width}
      kept={kept}
    >
      <nav aria-label={text('settings.pages')} className="-mt-2 border-b border-line">
        <ul className="flex flex-wrap gap-x-1">
          {settingsTabs.map((each) => (
            <li key={each}>
              <QuickLink
                href={settingsAt(each)}
                aria-current={each === tab ? 'page' : undefined}
                className="-mb-px block border-b-2 border-transparent px-3 py-2.5 text-sm font-semibold whitespace-nowrap text-ink-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-accent"
              >
                {text(`settings.tabs.${each}.label`)}
              </QuickLink>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </AdminPage>
  );
}
