import { decoded } from '#lib/http/decoded.ts';
import { countOfGroup, type Group, groupWithId } from '#lib/management/group/groups.ts';
import { isKept } from '#lib/management/kept.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Seen } from '../../ui/forms/seen.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { Kept } from '../../ui/kept.tsx';
import { removeGroup, saveGroup } from '../actions.ts';
import { GroupFields } from '../group-fields.tsx';
import { AppsCard } from './apps-card.tsx';
import { MembersCard } from './members-card.tsx';

type Props = { params: Promise<{ groupId: string }>; searchParams: SearchParams };

/** The members of a group, and what depends on the group. */
export default async function GroupPage({ params, searchParams }: Props) {
  await guardPage('/admin/groups/[groupId]');
  const group = await orNotFound(groupWithId(decoded((await params).groupId)));
  const kept = await isKept('group', group.id);
  return (
    <AdminPage
      title={group.name}
      heading={<UserText className="wrap-anywhere" text={group.name} />}
      text={group.description && <UserText text={group.description} />}
      up="/admin/groups"
      kept={kept && 'group'}
    >
      <MembersCard group={group} query={await readParams(searchParams)} />
      <AppsCard group={group} />
      <Kept kept={kept}>
        <Details group={group} />
      </Kept>
      {!kept && <Removal group={group} />}
    </AdminPage>
  );
}

async function Details({ group }: { group: Group }) {
  const text = await pageText();
  return (
    <Card id="details" title={text('groups.details')} text={text('groups.detailsText')}>
      <ActionForm action={saveGroup} className="grid max-w-4xl gap-5">
        <Hidden fields={{ group: group.id }} />
        <Seen value={String(group.updatedAt.getTime())} />
        <GroupFields group={group} />
        <div>
          <Submit>{text('groups.save')}</Submit>
        </div>
      </ActionForm>
    </Card>
  );
}

async function Removal({ group: { id, name } }: { group: Group }) {
  const text = await pageText();
  const { members, apps } = await countOfGroup(id);
  return (
    <Card id="remove" title={text('groups.remove')} text={text('groups.removeText')}>
      <ActionForm action={removeGroup} className="grid gap-3">
        <Hidden fields={{ group: id }} />
        <Confirm
          label={text('groups.removeButton')}
          text={text('groups.removeWhat', { name: stripBidi(name), members, apps })}
        >
          <Submit kind="danger" size="small">
            {text('groups.removeConfirm')}
          </Submit>
        </Confirm>
      </ActionForm>
    </Card>
  );
}
