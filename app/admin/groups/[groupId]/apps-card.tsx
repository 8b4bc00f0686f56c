import { listClients } from '#lib/management/client/clients.ts';
import type { Group } from '#lib/management/group/groups.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { clientPage } from '../../addresses.ts';
import { QuickLink } from '../../ui/quick-link.tsx';

export async function AppsCard({ group }: { group: Group }) {
  const text = await pageText();
  const { rows, next } = await listClients({ group: group.id, sort: 'name', limit: 100 });
  if (rows.length === 0)
    return (
      <Card id="apps" title={text('groups.apps')}>
        {text('groups.appsNone')}{' '}
        <span className="text-ink-soft">{text('groups.appsNoneHow')}</span>
      </Card>
    );
  return (
    <Card id="apps" title={text('groups.apps')} text={text('groups.appsText')}>
      <ul className="flex flex-wrap gap-x-5 gap-y-2">
        {rows.map(({ id, name }) => (
          <li key={id} className="min-w-0 wrap-anywhere">
            <QuickLink className="gh-link" href={clientPage(id, 'access')}>
              <UserText text={name} />
            </QuickLink>
          </li>
        ))}
        {next && <li className="text-ink-soft">{text('groups.appsMore')}</li>}
      </ul>
    </Card>
  );
}
