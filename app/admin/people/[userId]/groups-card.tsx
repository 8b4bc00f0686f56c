import { groupsOf } from '#lib/management/group/groups.ts';
import type { UserRecord } from '#lib/management/user/users.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { groupChoices } from '../../groups/filter.ts';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { SelectField, TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { hrefOf } from '../../ui/href.ts';
import { Listed } from '../../ui/listed.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { addPersonToGroup, removePersonFromGroup } from '../group-actions.ts';

const shown = 50;
type Named = { id: string; name: string };

export async function GroupsCard({ user, mayChange }: { user: UserRecord; mayChange: boolean }) {
  const text = await pageText();
  const groups = await groupsOf(user.id);
  return (
    <Card id="groups" title={text('groups.ofPerson')} text={text('groups.ofPersonText')}>
      {groups.length === 0 && <p className="text-ink-soft">{text('groups.ofPersonNone')}</p>}
      <ul className="divide-y divide-line">
        {groups.slice(0, shown).map((group) => (
          <One key={group.id} userId={user.id} group={group} />
        ))}
      </ul>
      {groups.length > shown && (
        <QuickLink
          className="gh-link inline-block py-2 font-semibold"
          href={hrefOf('/admin/groups', { person: user.id })}
        >
          {text('groups.ofPersonAll')}
        </QuickLink>
      )}
      {mayChange && <AddToGroup userId={user.id} groups={groups} />}
    </Card>
  );
}

async function One({ userId, group: { id, name } }: { userId: string; group: Named }) {
  const text = await pageText();
  return (
    <Listed
      action={removePersonFromGroup}
      fields={{ id: userId, group: id }}
      button={text('groups.removeMember')}
      label={text('groups.ofPersonRemoveLabel', { name: stripBidi(name) })}
    >
      <QuickLink className="gh-link min-w-0 wrap-anywhere" href={`/admin/groups/${id}`}>
        <UserText text={name} />
      </QuickLink>
    </Listed>
  );
}

/** A choice of group if there are few; otherwise a field for its name. */
async function AddToGroup({ userId, groups }: { userId: string; groups: readonly Named[] }) {
  const text = await pageText();
  const choices = await groupChoices();
  const isIn = new Set(groups.map(({ id }) => id));
  const left = choices?.filter(({ id }) => !isIn.has(id));
  if (choices?.length === 0) return <NoGroups />;
  if (left?.length === 0) return null;
  return (
    <ActionForm action={addPersonToGroup} className="mt-4 flex flex-wrap items-end gap-3">
      <Hidden fields={{ id: userId }} />
      {left ? (
        <SelectField
          name="group"
          label={text('groups.ofPersonAdd')}
          options={[
            { value: '', label: text('groups.ofPersonChoose') },
            ...left.map(({ id, name }) => ({ value: id, label: stripBidi(name) })),
          ]}
        />
      ) : (
        <TextField
          name="group"
          label={text('groups.ofPersonAdd')}
          placeholder={text('groups.ofPersonName')}
          asTyped
          maxLength={100}
          required
        />
      )}
      <Submit kind="secondary">{text('groups.addMember')}</Submit>
    </ActionForm>
  );
}

async function NoGroups() {
  const text = await pageText();
  return (
    <p className="mt-2">
      {text('groups.noGroups')}{' '}
      <QuickLink className="gh-link" href="/admin/groups/new">
        {text('groups.add')}
      </QuickLink>
    </p>
  );
}
