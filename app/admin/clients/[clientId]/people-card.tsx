import type { ClientRecord } from '#lib/management/clients.ts';
import { listGrants } from '#lib/management/grants.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { Card } from '../../../ui/card.tsx';
import { Day } from '../../../ui/day.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { hrefOf } from '../../ui/pager.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { Table } from '../../ui/table.tsx';

/** Who approved it, the latest first. */
export async function PeopleCard({ client }: { client: ClientRecord }) {
  const { rows } = await listGrants({ clientId: client.id, limit: 10 });
  const none = client.firstParty ? words.peopleNoneFirstParty : words.peopleNone;
  return (
    <Card
      id="people"
      title={words.people}
      text={rows.length > 0 ? words.peopleText : none}
      actions={
        rows.length > 0 && (
          <QuickLink
            className="gh-link text-sm"
            href={hrefOf('/admin/approvals', { client: client.id })}
          >
            {words.peopleAll}
          </QuickLink>
        )
      }
    >
      {rows.length > 0 && (
        <Table
          caption={words.peopleCaption}
          columns={[
            { key: 'person', label: words.person },
            { key: 'allowed', label: words.allowed },
            { key: 'since', label: words.since },
            { key: 'used', label: words.lastUsed },
          ]}
          rows={rows.map((grant) => ({
            key: grant.id,
            cells: {
              person: (
                <QuickLink className="gh-link font-semibold" href={`/admin/people/${grant.userId}`}>
                  <UserText text={grant.username} />
                </QuickLink>
              ),
              allowed: grant.scopes.join(' '),
              since: <Day locale="en" at={grant.createdAt.toISOString()} />,
              used: grant.lastUsedAt ? (
                <Day locale="en" at={grant.lastUsedAt.toISOString()} />
              ) : (
                words.never
              ),
            },
          }))}
        />
      )}
    </Card>
  );
}
