import { config } from '#lib/config.ts';
import { passkeysPossible } from '#lib/identity/passkeys.ts';
import { listSettings } from '#lib/management/setting/settings.ts';
import type { Text } from '#lib/messages/text.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { SettingsFrame } from '../frame.tsx';
import { SettingFields, SettingForm } from '../setting-form.tsx';
import { onCard } from '../tabs.ts';

/** Who gets an account, how people sign in, and for how long. */
export default async function SignInSettingsPage() {
  await guardPage('/admin/settings/sign-in');
  const text = await pageText();
  const settings = await listSettings();
  return (
    <SettingsFrame tab="sign-in">
      <SettingForm tab="sign-in" label={text('settings.tabs.sign-in.label')}>
        <Card id="accounts" title={text('settings.accounts')}>
          <SettingFields settings={onCard(settings, 'accounts')} />
        </Card>
        <Card id="sessions" title={text('settings.sessions')} text={text('settings.lifetimesText')}>
          <SettingFields settings={onCard(settings, 'sessions')} />
        </Card>
        <Card id="unused" title={text('unused.title')} text={text('unused.text')}>
          <SettingFields settings={onCard(settings, 'unused')} />
          <p className="mt-4">
            <QuickLink className="gh-link" href="/admin/people/unused">
              {text('unused.toPlan')}
            </QuickLink>
          </p>
        </Card>
      </SettingForm>
      <Card id="always" title={text('settings.signIn.title')} text={text('settings.signIn.text')}>
        <FactList
          facts={[
            [
              text('settings.signIn.passkeys'),
              passkeysPossible()
                ? text('settings.signIn.passkeysOn')
                : text('settings.signIn.passkeysOff', { issuer: config().issuer }),
            ],
            [text('settings.signIn.tries'), text('settings.signIn.triesText')],
            [text('settings.signIn.failed'), failedText(text)],
          ]}
        />
      </Card>
    </SettingsFrame>
  );
}

/** When failing apps are slowed down; a limit of 0 means never. */
function failedText(text: Text): string {
  const { perClient, perAddress } = config().failedRequests;
  if (perClient && perAddress) return text('settings.signIn.failedText', { perClient, perAddress });
  if (perClient) return text('settings.signIn.failedClients', { perClient });
  return perAddress
    ? text('settings.signIn.failedAddresses', { perAddress })
    : text('settings.signIn.failedNever');
}
