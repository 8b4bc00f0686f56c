import type { Group } from '#lib/management/group/groups.ts';
import { listMembers, type Member } from '#lib/management/group/members.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Day } from '../../../ui/day.tsx';
import { EmailAddress } from '../../../ui/email-address.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Table } from '../../../ui/table.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { Counted } from '../../ui/counted.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { Pager } from '../../ui/pager.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { Until } from '../../ui/until.tsx';
import { removeGroupMember } from '../actions.ts';
import { AddMembers } from './add-members.tsx';

type Props = { group: Group; query: Readonly<Record<string, string>> };

const perPage = 25;

/** The members of a group, with the controls to add and remove them. */
export async function MembersCard({ group, query }: Props) {
  const text = await pageText();
  const path = `/admin/groups/${group.id}`;
  const { q = '', after } = query;
  const filter = { search: q.slice(0, 200), cursor: after || undefined, limit: perPage };
  const { rows, total, next, previous } = await orNotFound(listMembers(group.id, filter));
  return (
    <Card id="members" title={text('groups.members')} text={text('groups.membersText')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <AddMembers groupId={group.id} find={query.find} ends={query.ends} />
        {(q || total.count > perPage) && (
          <ListSearch
            action={path}
            label={text('groups.searchMembers')}
            placeholder={text('groups.searchMembersHint')}
            query={q}
            filters={[]}
          />
        )}
        {rows.length > 0 ? (
          <Counted total={text('groups.memberTotal', ofTotal(total))}>
            <MemberTable group={group} members={rows} />
          </Counted>
        ) : (
          <p className="text-ink-soft">
            {q ? text('groups.noMemberFound') : text('groups.membersNone')}
          </p>
        )}
        <Pager path={path} query={{ q, after }} next={next} previous={previous} />
      </div>
    </Card>
  );
}

async function MemberTable({ group, members }: { group: Group; members: readonly Member[] }) {
  const text = await pageText();
  return (
    <Table
      caption={text('groups.memberList')}
      columns={[
        { key: 'person', label: text('groups.columnPerson') },
        { key: 'email', label: text('groups.columnEmail') },
        { key: 'since', label: text('groups.columnSince') },
        { key: 'remove', label: <span className="sr-only">{text('groups.removeMember')}</span> },
      ]}
      rows={members.map((member) => ({ key: member.id, cells: cellsOf(text, group, member) }))}
    />
  );
}

function cellsOf(text: Text, { id }: Group, member: Member) {
  const called = member.name || member.username;
  return {
    person: (
      <div className="flex items-center gap-3">
        <Avatar
          id={member.id}
          name={called}
          image={member.picture ?? undefined}
          className="size-9 text-base"
        />
        <div className="min-w-0 wrap-anywhere">
          <QuickLink className="gh-link font-semibold" href={`/admin/people/${member.id}`}>
            <UserText text={called} />
          </QuickLink>{' '}
          {member.disabledAt && <Badge tone="danger">{text('groups.disabled')}</Badge>}
          {member.name && (
            <p className="text-ink-soft">
              <UserText text={member.username} />
            </p>
          )}
        </div>
      </div>
    ),
    email: <EmailAddress text={member.email} />,
    since: (
      <div className="grid">
        <Day locale={text.locale} at={member.since.toISOString()} />
        <Until at={member.endsAt} />
      </div>
    ),
    remove: (
      <ActionForm action={removeGroupMember} className="grid gap-2">
        <Hidden fields={{ group: id, user: member.id }} />
        <div>
          <Submit
            kind="secondary"
            size="small"
            aria-label={text('groups.removeMemberLabel', { name: stripBidi(member.username) })}
          >
            {text('groups.removeMember')}
          </Submit>
        </div>
      </ActionForm>
    ),
  };
}
