import type { ClientRecord } from '#lib/management/client/clients.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { stripBidi } from '../../../../ui/user-text.tsx';
import { restNote } from '../../../deleted/note.ts';
import { Confirmed } from '../../../ui/forms/confirmed.tsx';
import { SaveForm } from '../../../ui/forms/save-form.tsx';
import { deleteClient, disableClient, enableClient } from '../../actions.ts';

/** How an app could come back after it is deleted. */
const backAgain = (text: Text) => ({
  admin: '',
  document: text('newApps.comesBack'),
  registration: text('newApps.staysAway'),
});

type Props = { client: ClientRecord; kept: boolean; count: { people: number; signIns: number } };

/** The actions that end things. Each says beforehand what it will end. */
export async function DangerCard({ client, kept, count }: Props) {
  const text = await pageText();
  const ends =
    count.people + count.signIns === 0
      ? text('clients.endsNothing')
      : text('clients.ends', { people: count.people, signIns: count.signIns });
  const fields = { client: client.id };
  return (
    <Card id="danger" title={text('clients.danger')}>
      <div className="flex flex-wrap gap-4">
        {client.disabledAt ? (
          <SaveForm
            action={enableClient}
            className="grid gap-3"
            label={text('clients.enable')}
            fields={fields}
            kind="secondary"
            size="small"
            save={text('clients.enable')}
          >
            <p className="text-sm text-ink-soft">{text('clients.enableText')}</p>
          </SaveForm>
        ) : (
          <Confirmed
            action={disableClient}
            className="has-[details[open]]:w-full"
            fields={fields}
            label={text('clients.disable')}
            text={text('clients.disableWhat', { ends })}
            confirm={text('clients.disableConfirm')}
          />
        )}
        {!kept && (
          <Confirmed
            action={deleteClient}
            className="has-[details[open]]:w-full"
            fields={fields}
            label={text('clients.delete')}
            text={`${text('clients.deleteWhat', { name: stripBidi(client.shownName), ends })} ${await restNote(text)} ${backAgain(text)[client.origin]}`}
            confirm={text('clients.deleteConfirm')}
          />
        )}
      </div>
    </Card>
  );
}
