import { showUser } from '#lib/administration/users.ts';
import { addressFields, profileFields, profilePage } from '#lib/endpoints/account-pages.ts';
import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readNotice } from '#lib/identity/notice.ts';
import { languages, offeredLocales } from '#lib/messages/locales.ts';
import { sayIn, type Text, textIn } from '#lib/messages/text.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { AccountFrame } from '../../ui/account-frame.tsx';
import { ProfileView } from '../../ui/views/profile.tsx';

/** What apps may be told of the person, as far as they allow it. */
export default async function ProfilePage() {
  const session = await requireUser();
  const request = await pageRequest();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  const notice = await readNotice(request, profilePage);
  const user = await showUser(session.user.id);
  const { address = {}, ...claims } = user.claims;
  const stored: Record<string, unknown> = { ...claims, ...address, name: user.name };
  const field = (name: string) => ({
    name,
    label: text(`profile.${name}` as 'profile.name'),
    value: notice?.values?.[name] ?? String(stored[name] ?? ''),
    error: say(notice?.fieldErrors?.[name]),
    options: name === 'locale' ? languageOptions(String(stored.locale ?? ''), text) : undefined,
  });
  return (
    <AccountFrame
      locale={locale}
      at={profilePage}
      lead={text('profile.lead')}
      isAdmin={session.user.isAdmin}
      done={say(notice?.done)}
      refused={Boolean(notice?.fieldErrors)}
    >
      <ProfileView
        locale={locale}
        csrf={csrfOfRequest(request)}
        profile={['name', ...profileFields].map(field)}
        address={addressFields.map(field)}
        addressError={say(notice?.fieldErrors?.address)}
      />
    </AccountFrame>
  );
}

/** Our languages, and whatever else an admin has entered: it is kept until the person chooses. */
function languageOptions(stored: string, text: Text) {
  const ours = offeredLocales.map((tag) => ({ value: tag as string, label: languages[tag].name as string }));
  const other = stored && !ours.some(({ value }) => value === stored) ? [{ value: stored, label: stored }] : [];
  return [{ value: '', label: text('profile.localeBrowser') }, ...ours, ...other];
}
