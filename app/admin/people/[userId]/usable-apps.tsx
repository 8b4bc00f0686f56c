import { readUsableApps, type UsableApps } from '#lib/management/grant/matrix.ts';
import type { UserRecord } from '#lib/management/user/users.ts';
import { listIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import { totalIn } from '#lib/messages/total.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { clientPage } from '../../addresses.ts';
import { wayText } from '../../approvals/matrix/table.tsx';
import { OnlyFor } from '../../ui/allowed.tsx';
import { hrefOf } from '../../ui/href.ts';
import { QuickLink } from '../../ui/quick-link.tsx';

/** The apps that a person may use, and why. */
export async function UsableAppsCard({ user }: { user: UserRecord }) {
  const text = await pageText();
  const found = await readUsableApps(user);
  const name = stripBidi(user.name || user.username);
  return (
    <Card
      id="apps"
      title={text('usable.title')}
      text={found ? summaryOf(text, name, found) : text('usable.disabled', { name })}
      actions={
        <OnlyFor need="see-everything">
          <QuickLink
            className="gh-link text-sm"
            href={hrefOf('/admin/approvals/matrix', { q: user.username, which: 'all' })}
          >
            {text('usable.all')}
          </QuickLink>
        </OnlyFor>
      }
    >
      {found && found.apps.length > 0 && (
        <ul className="grid gap-x-8 gap-y-1 sm:grid-cols-2">
          {found.apps.map((app) => (
            <li key={app.id} className="min-w-0 wrap-anywhere">
              <QuickLink className="gh-link" href={clientPage(app.id, 'access')}>
                <UserText text={app.name} />
              </QuickLink>{' '}
              <span className="text-sm text-ink-soft">{wayText(text, app.way)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Such as "Bob may use 14 apps: 12 like everyone, 2 through Staff and Board." */
function summaryOf(text: Text, name: string, { open, listing, apps }: UsableApps): string {
  const sum = { count: open.count + listing.count, more: open.more || listing.more };
  const total = text('usable.total', { name, count: sum.count, total: totalIn(text.locale, sum) });
  if (apps.length === 0) return `${total} ${text('usable.openOnly')}`;
  const ways = [...new Set(apps.map(({ way }) => wayText(text, way)))];
  const through = listIn(text.locale, ways);
  return `${total} ${text('usable.through', { open: open.count, listing: listing.count, through })}`;
}
