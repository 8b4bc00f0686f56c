import { pageRequest } from '#lib/http/next.ts';
import { showBranding } from '#lib/management/branding/branding.ts';
import { addressState, mailState } from '#lib/management/home.ts';
import { listSettings } from '#lib/management/setting/settings.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { addressText } from '../../overview/steps.tsx';
import { MailCard } from '../../settings/general/mail-card.tsx';
import { lookOf } from '../../settings/look/look.ts';
import { LookFields } from '../../settings/look/look-fields.tsx';
import { ProfileCard } from '../../settings/security/profile-card.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Seen } from '../../ui/forms/seen.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { QuickButton } from '../../ui/quick-link.tsx';
import { saveServerStep } from '../actions.ts';
import { SetUpFrame } from '../frame.tsx';
import { setUpAt } from '../steps.ts';
import { AddressCheck } from './address-check.tsx';

/** Step 2: name and colour, the public address, mail, Compatible or Strict. */
export default async function SetUpServerPage() {
  await guardPage('/admin/set-up/server');
  const text = await pageText();
  const { brand, stored } = await showBranding();
  const settings = (await listSettings()).filter(({ about }) => about === 'protocol');
  const profile = settings.find(({ key }) => key === 'profile');
  if (!profile) throw new Error('The profile is a setting.');
  const address = addressState(await pageRequest());
  const isOdd = address.is === 'other' || address.is === 'plain';
  return (
    <SetUpFrame step="server">
      <Card id="address" title={text('start.address.title')}>
        <AdminNotice kind={isOdd ? 'warning' : address.is === 'right' ? 'success' : 'info'}>
          {addressText(text, address)}
        </AdminNotice>
        <AddressCheck issuer={address.issuer} />
      </Card>
      <MailCard mail={mailState()} from="set-up" />
      <ActionForm
        action={saveServerStep}
        label={text('setUp.steps.server.title')}
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
      >
        <Seen value={stored} />
        <Card id="look" title={text('setUp.look')}>
          <div className="grid gap-5">
            <LookFields brand={brand} look={lookOf(brand, {})} />
          </div>
        </Card>
        <ProfileCard
          profile={profile}
          details={settings.filter(({ value }) => typeof value === 'boolean')}
        />
        <p className="flex flex-wrap gap-3">
          <Submit>{text('setUp.save')}</Submit>
          <QuickButton kind="secondary" href={setUpAt('app')}>
            {text('setUp.skip')}
          </QuickButton>
        </p>
      </ActionForm>
    </SetUpFrame>
  );
}
