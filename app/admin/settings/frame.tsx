import type { ReactNode } from 'react';
import type { OwnedKind } from '#lib/store/file-owned.ts';
import { pageText } from '../../locale.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { Tabs } from '../ui/tabs.tsx';
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
      <Tabs
        label={text('settings.pages')}
        tabs={settingsTabs.map((each) => ({
          href: settingsAt(each),
          label: text(`settings.tabs.${each}.label`),
          isOpen: each === tab,
        }))}
      />
      {children}
    </AdminPage>
  );
}
