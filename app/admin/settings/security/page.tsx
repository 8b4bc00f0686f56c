import {
  isLooserThanProfile,
  listSettings,
  type SettingRecord,
} from '#lib/management/setting/settings.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { resetSettings } from '../actions.ts';
import { SettingsFrame } from '../frame.tsx';
import { SettingFields, SettingForm } from '../setting-form.tsx';
import { Folded } from './folded.tsx';
import { ProfileCard } from './profile-card.tsx';

/** The profile, the settings that deviate from it, and lifetimes. */
export default async function SecurityPage() {
  await guardPage('/admin/settings/security');
  const text = await pageText();
  const settings = (await listSettings()).filter(({ about }) => about === 'protocol');
  const profile = settings.find(({ key }) => key === 'profile');
  if (!profile) throw new Error('The profile is a setting.');
  const lives = settings.filter(({ value }) => typeof value === 'number');
  const rules = settings.filter((setting) => setting !== profile && !lives.includes(setting));
  const loose = rules.filter(isLooserThanProfile);
  const isChanged = ({ source }: SettingRecord) => source === 'stored';
  const stored = [...rules, ...lives].filter(isChanged);
  return (
    <SettingsFrame tab="security">
      {loose.length > 0 && (
        <AdminNotice kind="warning" title={text('settings.looseTitle')}>
          {text('settings.looseText', {
            names: loose.map(({ key, name }) => text(`settings.names.${key}`) ?? name).join(', '),
          })}
        </AdminNotice>
      )}
      <SettingForm tab="security" label={text('settings.tabs.security.label')}>
        <ProfileCard profile={profile} details={rules} />
        <Folded
          summary={text('settings.requests')}
          text={text('settings.requestsText')}
          names={rules.map(({ key }) => key)}
          open={rules.some(isChanged) || loose.length > 0}
        >
          <SettingFields settings={rules} />
        </Folded>
        <Card
          id="lifetimes"
          title={text('settings.lifetimes')}
          text={text('settings.lifetimesText')}
        >
          <SettingFields settings={lives} />
        </Card>
      </SettingForm>
      {stored.length > 0 && <Reset stored={stored} />}
    </SettingsFrame>
  );
}

async function Reset({ stored }: { stored: readonly SettingRecord[] }) {
  const text = await pageText();
  return (
    <ActionForm action={resetSettings} className="grid gap-3" label={text('settings.reset')}>
      <Hidden
        fields={{
          tab: 'security',
          ...Object.fromEntries(stored.map(({ key, stored: text }) => [`seen.${key}`, text])),
        }}
      />
      <Confirm
        label={text('settings.reset')}
        text={text('settings.resetWhat', {
          names: stored.map(({ key, name }) => text(`settings.names.${key}`) ?? name).join(', '),
        })}
      >
        <Submit kind="danger" size="small">
          {text('settings.resetConfirm')}
        </Submit>
      </Confirm>
    </ActionForm>
  );
}
