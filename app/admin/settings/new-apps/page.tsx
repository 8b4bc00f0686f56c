import { listBlockedHosts } from '#lib/management/host/hosts.ts';
import { listRegistrationTokens } from '#lib/management/registration-token/registration-tokens.ts';
import { listSettings } from '#lib/management/setting/settings.ts';
import { readSettings } from '#lib/store/settings.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { SettingsFrame } from '../frame.tsx';
import { SettingField } from '../setting-field.tsx';
import { SettingForm } from '../setting-form.tsx';
import { HostsCard } from './hosts-card.tsx';
import { HostsField } from './hosts-field.tsx';
import { TokensCard } from './tokens-card.tsx';

/** The settings for apps that register themselves. */
export default async function NewAppsPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage('/admin/settings/new-apps');
  const text = await pageText();
  const settings = (await listSettings()).filter(({ about }) => about === 'registration');
  const { clientRegistration } = await readSettings();
  return (
    <SettingsFrame tab="new-apps">
      <SettingForm tab="new-apps" label={text('settings.tabs.new-apps.label')}>
        <Card
          id="registration"
          title={text('settings.registration')}
          text={text('settings.registrationText')}
        >
          <div className="grid gap-7">
            {settings.map((setting) =>
              setting.key === 'clientDocumentHosts' ? (
                <HostsField key={setting.key} setting={setting} />
              ) : (
                <SettingField key={setting.key} setting={setting} />
              ),
            )}
          </div>
        </Card>
      </SettingForm>
      <TokensCard
        tokens={await listRegistrationTokens()}
        mode={clientRegistration}
        now={new Date()}
      />
      <HostsCard blocked={await listBlockedHosts()} asked={(await readParams(searchParams)).host} />
    </SettingsFrame>
  );
}
