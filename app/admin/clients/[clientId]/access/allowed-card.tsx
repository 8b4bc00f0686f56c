import type { ReactNode } from 'react';
import type { showAccess } from '#lib/management/client/access.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { accessWords as words } from '#lib/messages/admin/access.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../../ui/user-text.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { ChoiceField, TextField } from '../../../ui/forms/fields.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { allowOnClient, disallowOnClient, saveAccess } from '../../access-actions.ts';

type Access = Awaited<ReturnType<typeof showAccess>>;

type Props = {
  client: Pick<ClientRecord, 'id' | 'access'>;
  access: Access;
  /** Names of groups to choose from. */
  known: readonly string[];
};

/** Who may use the app: everybody, or the groups and people of a list. */
export function AllowedCard({ client, access, known }: Props) {
  return (
    <Card id="allowed" title={words.title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Now client={client} access={access} />
        <ActionForm action={saveAccess} label={words.title} className="grid gap-4">
          <Hidden fields={{ client: client.id }} />
          <ChoiceField
            name="access"
            legend={words.question}
            initial={[client.access]}
            options={[
              { value: 'everybody', label: words.everybody },
              { value: 'listed', label: words.listed, hint: words.listedHint },
            ]}
          />
          <div>
            <Submit kind="secondary">{words.save}</Submit>
          </div>
        </ActionForm>
        <Groups clientId={client.id} groups={access.groups} known={known} />
        <People clientId={client.id} people={access.people} />
      </div>
    </Card>
  );
}

/** How it is now, and what that means. */
function Now({ client, access: { total } }: Pick<Props, 'client' | 'access'>) {
  if (client.access === 'listed' && total.count === 0)
    return (
      <AdminNotice kind="warning" title={words.nobodyNow}>
        {words.nobodyText}
      </AdminNotice>
    );
  return (
    <div className="grid gap-1">
      <p className="font-medium">
        {client.access === 'listed' ? words.listedNow(total) : words.everybodyNow}
      </p>
      {client.access === 'everybody' && (
        <p className="text-sm text-ink-soft">{words.waiting(total)}</p>
      )}
    </div>
  );
}

function Groups({
  clientId,
  groups,
  known,
}: {
  clientId: string;
  groups: Access['groups'];
  known: readonly string[];
}) {
  return (
    <Section title={words.groups} none={groups.length === 0 && words.groupsNone}>
      <ul className="divide-y divide-line">
        {groups.map(({ id, name, members }) => (
          <Entry key={id} clientId={clientId} field={{ group: id }} name={name}>
            <QuickLink className="gh-link wrap-anywhere" href={`/admin/groups/${id}`}>
              <UserText text={name} />
            </QuickLink>
            <span className="text-sm text-ink-soft">{words.members(members)}</span>
          </Entry>
        ))}
      </ul>
      <AddForm clientId={clientId} name="group" label={words.group} add={words.addGroup}>
        <datalist id="known-groups">
          {known.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </AddForm>
    </Section>
  );
}

function People({ clientId, people }: { clientId: string; people: Access['people'] }) {
  return (
    <Section title={words.people} none={people.length === 0 && words.peopleNone}>
      <ul className="divide-y divide-line">
        {people.map(({ id, username, disabled }) => (
          <Entry key={id} clientId={clientId} field={{ person: id }} name={username}>
            <QuickLink className="gh-link wrap-anywhere" href={`/admin/people/${id}`}>
              <UserText text={username} />
            </QuickLink>
            {disabled && <Badge tone="danger">{words.disabled}</Badge>}
          </Entry>
        ))}
      </ul>
      <AddForm clientId={clientId} name="person" label={words.person} add={words.addPerson} />
    </Section>
  );
}

type SectionProps = { title: string; none: string | false; children: ReactNode };

function Section({ title, none, children }: SectionProps) {
  return (
    <section className="border-t border-line pt-5">
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

function Entry({ clientId, field, name, children }: EntryProps) {
  return (
    <Listed
      action={disallowOnClient}
      fields={{ client: clientId, ...field }}
      button={words.remove}
      label={words.removeLabel(stripBidi(name))}
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
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
      />
      {children}
      <Submit kind="secondary">{add}</Submit>
    </ActionForm>
  );
}
