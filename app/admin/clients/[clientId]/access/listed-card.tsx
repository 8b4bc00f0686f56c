import type { ReactNode } from 'react';
import type { showAccess } from '#lib/management/client/access.ts';
import { listGroups } from '#lib/management/group/groups.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { pageText } from '../../../../locale.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../../ui/user-text.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { EndField } from '../../../ui/forms/end-field.tsx';
import { TextField } from '../../../ui/forms/fields.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { Until } from '../../../ui/until.tsx';
import { allowOnClient, disallowOnClient } from '../../access-actions.ts';

type Access = Awaited<ReturnType<typeof showAccess>>;

type Props = { clientId: string; access: Access };

/** The groups and people who may use the app if not everyone may. */
export async function ListedCard({ clientId, access }: Props) {
  const text = await pageText();
  return (
    <Card id="listed" title={text('access.list')} text={text('access.listText')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Groups clientId={clientId} groups={access.groups} />
        <People clientId={clientId} people={access.people} />
      </div>
    </Card>
  );
}

async function Groups({ clientId, groups }: { clientId: string; groups: Access['groups'] }) {
  const text = await pageText();
  const known = await listGroups({ limit: 100 });
  return (
    <Section title={text('access.groups')} none={groups.length === 0 && text('access.groupsNone')}>
      <ul className="divide-y divide-line">
        {groups.map(({ id, name, members }) => (
          <Entry key={id} clientId={clientId} field={{ group: id }} name={name}>
            <QuickLink className="gh-link wrap-anywhere" href={`/admin/groups/${id}`}>
              <UserText text={name} />
            </QuickLink>
            <span className="text-sm text-ink-soft">
              {text('access.members', ofTotal(members))}
            </span>
          </Entry>
        ))}
      </ul>
      <AddForm
        clientId={clientId}
        name="group"
        label={text('access.group')}
        add={text('access.addGroup')}
      >
        <datalist id="known-groups">
          {known.rows.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </AddForm>
    </Section>
  );
}

async function People({ clientId, people }: { clientId: string; people: Access['people'] }) {
  const text = await pageText();
  return (
    <Section title={text('access.people')} none={people.length === 0 && text('access.peopleNone')}>
      <ul className="divide-y divide-line">
        {people.map(({ id, username, disabled, endsAt }) => (
          <Entry key={id} clientId={clientId} field={{ person: id }} name={username}>
            <QuickLink className="gh-link wrap-anywhere" href={`/admin/people/${id}`}>
              <UserText text={username} />
            </QuickLink>
            {disabled && <Badge tone="danger">{text('access.disabled')}</Badge>}
            <Until at={endsAt} />
          </Entry>
        ))}
      </ul>
      <AddForm
        clientId={clientId}
        name="person"
        label={text('access.person')}
        add={text('access.addPerson')}
      />
    </Section>
  );
}

type SectionProps = { title: string; none: string | false; children: ReactNode };

function Section({ title, none, children }: SectionProps) {
  return (
    <section>
      <h3 className="mb-2 font-semibold">{title}</h3>
      {none && <p className="text-ink-soft">{none}</p>}
      {children}
    </section>
  );
}

type EntryProps = {
  clientId: string;
  field: Record<string, string>;
  name: string;
  children: ReactNode;
};

async function Entry({ clientId, field, name, children }: EntryProps) {
  const text = await pageText();
  return (
    <Listed
      action={disallowOnClient}
      fields={{ client: clientId, ...field }}
      button={text('access.remove')}
      label={text('access.removeLabel', { name: stripBidi(name) })}
    >
      {children}
    </Listed>
  );
}

type AddProps = {
  clientId: string;
  name: 'group' | 'person';
  label: string;
  add: string;
  children?: ReactNode;
};

function AddForm({ clientId, name, label, add, children }: AddProps) {
  return (
    <ActionForm
      adds
      action={allowOnClient}
      label={add}
      className="mt-3 flex flex-wrap items-end gap-3"
    >
      <Hidden fields={{ client: clientId }} />
      <TextField
        name={name}
        label={label}
        list={children ? 'known-groups' : undefined}
        asTyped
        maxLength={254}
        required
      />
      {children}
      {name === 'person' && <EndField />}
      <Submit kind="secondary">{add}</Submit>
    </ActionForm>
  );
}
