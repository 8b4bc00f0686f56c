import { appPage } from '#app/account/apps/submit.ts';
import { pageRequest } from '#lib/http/next.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { mayUpgrade } from '#lib/interaction/upgrading.ts';
import { listContacted } from '#lib/management/client/contacts.ts';
import { listYourApps, type YourApp } from '#lib/management/your-apps.ts';
import { findDeletion } from '#lib/store/account-deletion.ts';
import { grantList } from '#lib/store/grant-list.ts';
import { requireUser } from '../guards.ts';
import { pageLocale } from '../locale.ts';
import { Avatar } from '../ui/avatar.tsx';
import { rich } from '../ui/rich.tsx';
import { UserText } from '../ui/user-text.tsx';
import { DeletionWaits } from './delete/view.tsx';
import { DeveloperLink } from './ui/developer-link.tsx';
import { AccountFrame } from './ui/frame.tsx';
import { PasskeyUpgrade } from './ui/passkey-upgrade.tsx';
import { HomeView, type Tile } from './view.tsx';

type Props = { searchParams: Promise<{ q?: string | string[] }> };

export default async function AccountPage({ searchParams }: Props) {
  const session = await requireUser();
  const locale = await pageLocale();
  const { user } = session;
  const csrf = csrfOfRequest(await pageRequest());
  const search = [(await searchParams).q ?? ''].flat()[0] ?? '';
  const { rows, more } = await listYourApps(user, search);
  const connected = (await grantList.count({ userId: user.id })).count > 0;
  const due = await findDeletion(user.id);
  const develops = (await listContacted(user.id)).length > 0;
  return (
    <AccountFrame
      locale={locale}
      at="/account"
      heading={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:flex-nowrap">
          <Avatar
            id={user.id}
            name={user.name || user.username}
            image={user.picture ?? undefined}
            className="size-14 text-2xl"
          />
          <span className="min-w-0 wrap-anywhere">
            {rich('home.hello', { name: <UserText text={user.name || user.username} /> }, locale)}
          </span>
        </span>
      }
      lead={<UserText text={user.email} />}
      role={user.role}
    >
      {(await mayUpgrade(session, new Date())) && <PasskeyUpgrade csrf={csrf} />}
      {due && <DeletionWaits locale={locale} csrf={csrf} due={due} />}
      <HomeView
        locale={locale}
        apps={rows.map(tileOf)}
        more={more}
        search={search.trim().slice(0, 100)}
        connected={connected}
      />
      {develops && <DeveloperLink locale={locale} />}
    </AccountFrame>
  );
}

function tileOf({ connected, lastUsedAt, placed, ...app }: YourApp): Tile {
  return {
    ...app,
    used: connected || placed,
    lastUsedAt: lastUsedAt?.toISOString(),
    href: connected ? appPage(app.clientId) : undefined,
  };
}
