import type { ClientRecord } from '#lib/management/client/clients.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { newAppWords } from '#lib/messages/admin/new-apps.ts';
import { Card } from '../../../../ui/card.tsx';
import { Confirm } from '../../../../ui/confirm.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { stripBidi } from '../../../../ui/user-text.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { deleteClient, disableClient, enableClient } from '../../actions.ts';

/** What deleting doesn't prevent. */
const backAgain = {
  admin: '',
  document: newAppWords.comesBack,
  registration: newAppWords.staysAway,
};

type Props = { client: ClientRecord; kept: boolean; count: { people: number; signIns: number } };

/** What ends things: each says what, before it does. */
export function DangerCard({ client, kept, count }: Props) {
  const ends = words.ends(count.people, count.signIns);
  const id = <Hidden fields={{ client: client.id }} />;
  return (
    <Card id="danger" title={words.danger}>
      <div className="flex flex-wrap gap-4">
        {client.disabledAt ? (
          <ActionForm action={enableClient} className="grid gap-3" label={words.enable}>
            {id}
            <p className="text-sm text-ink-soft">{words.enableText}</p>
            <div>
              <Submit kind="secondary" size="small">
                {words.enable}
              </Submit>
            </div>
          </ActionForm>
        ) : (
          <ActionForm action={disableClient} className="grid gap-3 has-[details[open]]:w-full">
            {id}
            <Confirm label={words.disable} text={words.disableWhat(ends)}>
              <Submit kind="danger" size="small">
                {words.disableConfirm}
              </Submit>
            </Confirm>
          </ActionForm>
        )}
        {!kept && (
          <ActionForm action={deleteClient} className="grid gap-3 has-[details[open]]:w-full">
            {id}
            <Confirm
              label={words.delete}
              text={`${words.deleteWhat(stripBidi(client.shownName), ends)} ${backAgain[client.origin]}`}
            >
              <Submit kind="danger" size="small">
                {words.deleteConfirm}
              </Submit>
            </Confirm>
          </ActionForm>
        )}
      </div>
    </Card>
  );
}
