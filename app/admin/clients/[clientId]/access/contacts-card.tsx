import type { ClientRecord } from '#lib/management/client/clients.ts';
import { listContacts, mostContacts } from '#lib/management/client/contacts.ts';
import { pageText } from '../../../../locale.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../../ui/user-text.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { TextField } from '../../../ui/forms/fields.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { addClientContact, removeClientContact, setClientOwner } from '../../contact-actions.ts';

/** The people who develop the app and may see its attempts. */
export async function ContactsCard({ client }: { client: ClientRecord }) {
  const text = await pageText();
  const contacts = await listContacts(client.id);
  return (
    <Card id="contacts" title={text('contacts.title')} text={text('contacts.text')}>
      {contacts.length === 0 && <p className="text-ink-soft">{text('contacts.none')}</p>}
      <ul className="divide-y divide-line">
        {contacts.map(({ userId, username, disabled, owner }) => (
          <Listed
            key={userId}
            action={removeClientContact}
            fields={{ client: client.id, user: userId }}
            button={text('contacts.remove')}
            label={text('contacts.removeLabel', { name: stripBidi(username) })}
          >
            <QuickLink className="gh-link wrap-anywhere" href={`/admin/people/${userId}`}>
              <UserText text={username} />
            </QuickLink>
            {owner && <Badge tone="accent">{text('contacts.owner')}</Badge>}
            {disabled && <Badge tone="danger">{text('contacts.disabled')}</Badge>}
          </Listed>
        ))}
      </ul>
      {client.agent && contacts.some(({ owner }) => !owner) && (
        <div className="mt-3 flex flex-wrap gap-3">
          {contacts
            .filter(({ owner, disabled }) => !owner && !disabled)
            .map(({ userId, username }) => (
              <ActionForm
                key={userId}
                action={setClientOwner}
                label={text('contacts.makeOwnerLabel', { name: stripBidi(username) })}
              >
                <Hidden fields={{ client: client.id, user: userId }} />
                <Submit kind="secondary" size="small">
                  {text('contacts.makeOwnerLabel', { name: stripBidi(username) })}
                </Submit>
              </ActionForm>
            ))}
        </div>
      )}
      {contacts.length < mostContacts && (
        <ActionForm
          action={addClientContact}
          label={text('contacts.title')}
          className="mt-4 flex flex-wrap items-end gap-3"
        >
          <Hidden fields={{ client: client.id }} />
          <TextField
            name="contact"
            label={text('contacts.person')}
            asTyped
            maxLength={254}
            required
          />
          <Submit kind="secondary">{text('contacts.add')}</Submit>
        </ActionForm>
      )}
    </Card>
  );
}
