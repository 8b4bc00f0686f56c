import type { ReactNode } from 'react';
import type { SettingRecord } from '#lib/management/setting/settings.ts';
import { pageText } from '../../locale.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { SaveBar } from '../ui/forms/save-bar.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { saveSettings } from './actions.ts';
import { SettingField } from './setting-field.tsx';
import type { SettingsTab } from './tabs.ts';

export async function SettingForm({
  tab,
  label,
  children,
}: {
  tab: SettingsTab;
  label: string;
  children: ReactNode;
}) {
  const text = await pageText();
  return (
    <ActionForm
      action={saveSettings}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
      label={label}
    >
      <Hidden fields={{ tab }} />
      {children}
      <SaveBar>
        <Submit>{text('settings.save')}</Submit>
      </SaveBar>
    </ActionForm>
  );
}

export function SettingFields({ settings }: { settings: readonly SettingRecord[] }) {
  return (
    <div className="divide-y divide-line">
      {settings.map((setting) => (
        <SettingField key={setting.key} setting={setting} />
      ))}
    </div>
  );
}
