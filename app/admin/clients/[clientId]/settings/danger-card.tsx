import type { ClientRecord } from '#lib/management/client/clients.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { Confirm } from '../../../../ui/confirm.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { stripBidi } from '../../../../ui/user-text.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
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
  const id = <Hidden fields={{ client: client.id }} />;
  return (
    <Card id="danger" title={text('clients.danger')}>
      <div className="flex flex-wrap gap-4">
        {client.disabledAt ? (
          <ActionForm action={enableClient} className="grid gap-3" label={text('clients.enable')}>
            {id}
            <p className="text-sm text-ink-soft">{text('clients.enableText')}</p>
            <div>
              <Submit kind="secondary" size="small">
                {text('clients.enable')}
              </Submit>
            </div>
          </ActionForm>
        ) : (
          <ActionForm action={disableClient} className="grid gap-3 has-[details[open]]:w-full">
            {id}
            <Confirm label={text('clients.disable')} text={text('clients.disableWhat', { ends })}>
              <Submit kind="danger" size="small">
                {text('clients.disableConfirm')}
              </Submit>
            </Confirm>
          </ActionForm>
        )}
        {!kept && (
          <ActionForm action={deleteClient} className="grid gap-3 has-[details[open]]:w-full">
            {id}
            <Confirm
              label={text('clients.delete')}
              text={`${text('clients.deleteWhat', { name: stripBidi(client.shownName), ends })} ${backAgain(text)[client.origin]}`}
            >
              <Submit kind="danger" size="small">
                {text('clients.deleteConfirm')}
              </Submit>
            </Confirm>
          </ActionForm>
        )}
      </div>
    </Card>
  );
}
