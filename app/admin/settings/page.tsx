import { config } from '#lib/config.ts';
import { listSettings, type SettingRecord } from '#lib/management/settings.ts';
import { keyWords } from '#lib/messages/admin/keys.ts';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import { requireAdmin } from '../../guards.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { SaveBar } from '../ui/forms/save-bar.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { QuickButton } from '../ui/quick-link.tsx';
import { resetSettings, saveSettings } from './actions.ts';
import { SettingField } from './setting-field.tsx';

export default async function SettingsPage() {
  await requireAdmin();
  const all = await listSettings();
  const settings = all.filter(({ about }) => about === 'protocol');
  const isSwitch = ({ value }: SettingRecord) => typeof value === 'boolean';
  const stored = settings.filter(({ source }) => source === 'stored');
  return (
    <AdminPage
      title={words.title}
      text={words.lead}
      width="narrow"
      actions={
        <QuickButton kind="secondary" size="small" href="/admin/keys">
          {keyWords.toKeys}
        </QuickButton>
      }
    >
      <AdminNotice kind="info">{words.profile(config().profile)}</AdminNotice>
      <ActionForm
        action={saveSettings}
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
        label={words.title}
      >
        <Card id="requests" title={words.requests}>
          <Fields settings={settings.filter(isSwitch)} />
        </Card>
        <Card id="lifetimes" title={words.lifetimes} text={words.lifetimesText}>
          <Fields settings={settings.filter((setting) => !isSwitch(setting))} />
        </Card>
        <SaveBar>
          <Submit>{words.save}</Submit>
        </SaveBar>
      </ActionForm>
      {stored.length > 0 && <Reset stored={stored} />}
      <AccountSettings settings={all.filter(({ about }) => about === 'accounts')} />
    </AdminPage>
  );
}

function Fields({ settings }: { settings: readonly SettingRecord[] }) {
  return (
    <div className="grid gap-7">
      {settings.map((setting) => (
        <SettingField key={setting.key} setting={setting} />
      ))}
    </div>
  );
}

function Reset({ stored }: { stored: readonly SettingRecord[] }) {
  return (
    <ActionForm action={resetSettings} className="grid gap-3" label={words.reset}>
      <Hidden
        fields={Object.fromEntries(stored.map(({ key, stored: text }) => [`seen.${key}`, text]))}
      />
      <Confirm
        label={words.reset}
        text={words.resetWhat(stored.map(({ key, name }) => words.names[key] ?? name).join(', '))}
      >
        <Submit kind="danger" size="small">
          {words.resetConfirm}
        </Submit>
      </Confirm>
    </ActionForm>
  );
}

function AccountSettings({ settings }: { settings: readonly SettingRecord[] }) {
  return (
    <ActionForm
      action={saveSettings}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
      label={words.accounts}
    >
      <Card id="accounts" title={words.accounts}>
        <Fields settings={settings} />
      </Card>
      <div>
        <Submit>{words.save}</Submit>
      </div>
    </ActionForm>
  );
}
