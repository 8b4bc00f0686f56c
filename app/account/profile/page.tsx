import { showUser } from '#lib/administration/users.ts';
import { addressFields, profileFields, profilePage } from '#lib/endpoints/account-pages.ts';
import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readNotice } from '#lib/identity/notice.ts';
import { type MessageKey, sayKey, textIn } from '#lib/messages/text.ts';
import { requireUser } from '../../guards.ts';
import { AccountFrame } from '../../ui/account-frame.tsx';
import { ProfileView } from '../../ui/views/profile.tsx';

/** What apps may be told of the person, as far as they allow it. */
export default async function ProfilePage() {
  const session = await requireUser();
  const request = await pageRequest();
  const text = textIn();
  const notice = await readNotice(request, profilePage);
  const user = await showUser(session.user.id);
  const { address = {}, ...claims } = user.claims;
  const stored: Record<string, unknown> = { ...claims, ...address, name: user.name };
  const field = (name: string) => ({
    name,
    label: text(`profile.${name}` as 'profile.name'),
    value: notice?.values?.[name] ?? String(stored[name] ?? ''),
    error: sayKey((notice?.fieldErrors?.[name] ?? undefined) as MessageKey | undefined),
  });
  return (
    <AccountFrame
      at={profilePage}
      lead={text('profile.lead')}
      isAdmin={session.user.isAdmin}
      done={sayKey(notice?.done)}
      refused={Boolean(notice?.fieldErrors)}
    >
      <ProfileView
        csrf={csrfOfRequest(request)}
        profile={['name', ...profileFields].map(field)}
        address={addressFields.map(field)}
        addressError={sayKey(notice?.fieldErrors?.address)}
      />
    </AccountFrame>
  );
}
