import { config } from '#lib/config.ts';
import { passkeysPossible } from '#lib/identity/passkeys.ts';
import { listSettings } from '#lib/management/setting/settings.ts';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import type { SettingKey } from '#lib/settings/table.ts';
import { requirePermission } from '../../../guards.ts';
import { Card } from '../../../ui/card.tsx';
import { FactList } from '../fact-list.tsx';
import { SettingsFrame } from '../frame.tsx';
import { SettingFields, SettingForm } from '../setting-form.tsx';

const accounts = ['registration', 'registrationDomains', 'requireSecondFactor', 'usernameChange'];
const sessions = ['sessionIdleTtl', 'sessionMaxTtl', 'adminSessionIdleTtl', 'adminSessionMaxTtl'];

/** Who gets an account, how people sign in, and for how long. */
export default async function SignInSettingsPage() {
  await requirePermission('see-everything');
  const settings = await listSettings();
  const those = (keys: readonly string[]) =>
    settings.filter(({ key }: { key: SettingKey }) => keys.includes(key));
  const { passkeys, passkeysOn, passkeysOff, tries, triesText, failed, failedText } = words.signIn;
  return (
    <SettingsFrame tab="sign-in">
      <SettingForm tab="sign-in" label={words.tabs['sign-in'].label}>
        <Card id="accounts" title={words.accounts}>
          <SettingFields settings={those(accounts)} />
        </Card>
        <Card id="sessions" title={words.sessions} text={words.lifetimesText}>
          <SettingFields settings={those(sessions)} />
        </Card>
      </SettingForm>
      <Card id="always" title={words.signIn.title} text={words.signIn.text}>
        <FactList
          facts={[
            [passkeys, passkeysPossible() ? passkeysOn : passkeysOff(config().issuer)],
            [tries, triesText],
            [failed, failedText(config().failedRequests)],
          ]}
        />
      </Card>
    </SettingsFrame>
  );
}
