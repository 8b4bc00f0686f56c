import { profilePage } from '#app/account/profile/submit.ts';
import { pageRequest } from '#lib/http/next.ts';
import { signalOf } from '#lib/identity/passkeys.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { groupsOf } from '#lib/management/group/groups.ts';
import { addressFields, profileFields } from '#lib/management/user/claims.ts';
import { ownFieldsOf } from '#lib/management/user/field-values.ts';
import { userWithId } from '#lib/management/user/users.ts';
import { birthdateIn } from '#lib/messages/formats.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { languages, offeredLocales } from '#lib/messages/locales.ts';
import { sayIn, type Text, textIn } from '#lib/messages/text.ts';
import { readFactors } from '#lib/store/factors.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { PasskeySignal } from '../../ui/passkey-signal.tsx';
import { AccountFrame } from '../ui/frame.tsx';
import { GroupsCard } from './groups-card.tsx';
import { KeptFieldsCard, OwnFieldsCard } from './own-fields.tsx';
import { PictureCard, ProfileView } from './view.tsx';
import { YoursCard } from './yours-card.tsx';

const hints: Record<string, MessageKey> = {
  birthdate: 'profile.birthdateHint',
  website: 'profile.linkHint',
  profile: 'profile.linkHint',
};

/** The details that apps can see if the user allows it. */
export default async function ProfilePage() {
  const session = await requireUser();
  const request = await pageRequest();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  const notice = await readFlash(request, profilePage);
  const user = await userWithId(session.user.id);
  const own = await ownFieldsOf(user.id);
  const { address = {}, ...claims } = user.claims;
  const stored: Record<string, unknown> = {
    ...claims,
    ...address,
    name: user.name,
    birthdate: birthdateIn(locale, claims.birthdate ?? ''),
  };
  const errors = notice?.fieldErrors ?? {};
  const field = (name: string) => ({
    name,
    label: text(`profile.${name}` as 'profile.name'),
    hint: say(hints[name]),
    value: notice?.values?.[name] ?? String(stored[name] ?? ''),
    error: say(errors[name]),
    options:
      name === 'locale'
        ? languageOptions(String(stored.locale ?? ''), text)
        : name === 'zoneinfo'
          ? timeZoneOptions(String(stored.zoneinfo ?? ''), text)
          : undefined,
  });
  const fieldsRefused = Object.keys(errors).some((name) => name !== 'file');
  const csrf = csrfOfRequest(request);
  return (
    <AccountFrame
      locale={locale}
      at={profilePage}
      lead={text('profile.lead')}
      role={session.user.role}
      done={say(notice?.done)}
      error={fieldsRefused ? text('profile.refused') : undefined}
      refused={Boolean(notice?.fieldErrors)}
    >
      {(await readFactors(user.id)).passkeysHere > 0 && (
        <PasskeySignal signal={await signalOf(session.user)} />
      )}
      <PictureCard
        locale={locale}
        csrf={csrf}
        id={user.id}
        name={user.name || user.username}
        picture={user.picture ?? undefined}
        error={say(errors.file)}
      />
      <ProfileView
        locale={locale}
        csrf={csrf}
        profile={['name', ...profileFields].map(field)}
        address={addressFields.map(field)}
      />
      <OwnFieldsCard
        locale={locale}
        csrf={csrf}
        say={say}
        fields={own}
        typed={notice?.values ?? {}}
        errors={errors}
      />
      <KeptFieldsCard locale={locale} fields={own} />
      <GroupsCard locale={locale} groups={await groupsOf(user.id)} />
      <YoursCard locale={locale} />
    </AccountFrame>
  );
}

/** Our languages, plus any other that an admin has entered, which stays until the user chooses. */
function languageOptions(stored: string, text: Text) {
  const ours = offeredLocales.map((tag) => ({
    value: tag as string,
    label: languages[tag].name as string,
  }));
  const other =
    stored && !ours.some(({ value }) => value === stored) ? [{ value: stored, label: stored }] : [];
  return [{ value: '', label: text('profile.localeBrowser') }, ...ours, ...other];
}

/** All time zones by name, plus the stored one, whatever it is. */
function timeZoneOptions(stored: string, text: Text): { value: string; label: string }[] {
  const known = Intl.supportedValuesOf('timeZone');
  const names = stored && !known.includes(stored) ? [stored, ...known] : known;
  const zones = names.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
  return [{ value: '', label: text('profile.zoneinfoNone') }, ...zones];
}
