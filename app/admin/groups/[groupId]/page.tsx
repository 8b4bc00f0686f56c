import { decoded } from '#lib/http/decoded.ts';
import { countOfGroup, type Group, groupWithId } from '#lib/management/group/groups.ts';
import { isKept } from '#lib/management/kept.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { restNote } from '../../deleted/note.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { Kept } from '../../ui/kept.tsx';
import { Removal } from '../../ui/removal.tsx';
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
      {!kept && <Remove group={group} />}
    </AdminPage>
  );
}

async function Details({ group }: { group: Group }) {
  const text = await pageText();
  return (
    <Card id="details" title={text('groups.details')} text={text('groups.detailsText')}>
      <SaveForm
        action={saveGroup}
        className="grid max-w-4xl gap-5"
        fields={{ group: group.id }}
        seen={String(group.updatedAt.getTime())}
        save={text('groups.save')}
      >
        <GroupFields group={group} />
      </SaveForm>
    </Card>
  );
}

async function Remove({ group: { id, name } }: { group: Group }) {
  const text = await pageText();
  const what = { name: stripBidi(name), ...(await countOfGroup(id)) };
  return (
    <Removal
      room="groups"
      action={removeGroup}
      fields={{ group: id }}
      text={`${text('groups.removeWhat', what)} ${await restNote(text)}`}
    />
  );
}
