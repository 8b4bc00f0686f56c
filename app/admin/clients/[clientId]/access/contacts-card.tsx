import { type Contact, mostContacts } from '#lib/management/client/contacts.ts';
import { contactWords as words } from '#lib/messages/admin/developer.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../../ui/user-text.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { TextField } from '../../../ui/forms/fields.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { addClientContact, removeClientContact } from '../../contact-actions.ts';

/** Who develops the app, and may see its attempts. */
export function ContactsCard({
  clientId,
  contacts,
}: {
  clientId: string;
  contacts: readonly Contact[];
}) {
  return (
    <Card id="contacts" title={words.title} text={words.text}>
      {contacts.length === 0 && <p className="text-ink-soft">{words.none}</p>}
      <ul className="divide-y divide-line">
        {contacts.map(({ userId, username, disabled }) => (
          <Listed
            key={userId}
            action={removeClientContact}
            fields={{ client: clientId, user: userId }}
            button={words.remove}
            label={words.removeLabel(stripBidi(username))}
          >
            <QuickLink className="gh-link wrap-anywhere" href={`/admin/people/${userId}`}>
              <UserText text={username} />
            </QuickLink>
            {disabled && <Badge tone="danger">{words.disabled}</Badge>}
          </Listed>
        ))}
      </ul>
      {contacts.length < mostContacts && (
        <ActionForm
          action={addClientContact}
          label={words.title}
          className="mt-4 flex flex-wrap items-end gap-3"
        >
          <Hidden fields={{ client: clientId }} />
          <TextField
            name="contact"
            label={words.person}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            required
          />
          <Submit kind="secondary">{words.add}</Submit>
        </ActionForm>
      )}
    </Card>
  );
}
