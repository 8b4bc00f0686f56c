import type { showAccess } from '#lib/management/client/access.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { ChoiceField } from '../../../ui/forms/fields.tsx';

type Props = {
  client: Pick<ClientRecord, 'access'>;
  access: Pick<Awaited<ReturnType<typeof showAccess>>, 'total'>;
};

/** The part of the form about who may use the app: everyone, or only the listed. */
export async function AllowedCard({ client, access }: Props) {
  const text = await pageText();
  return (
    <Card id="allowed" title={text('access.title')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Now client={client} access={access} />
        <ChoiceField
          name="access"
          legend={text('access.question')}
          initial={[client.access]}
          options={[
            { value: 'everybody', label: text('access.everybody') },
            { value: 'listed', label: text('access.listed'), hint: text('access.listedHint') },
          ]}
        />
      </div>
    </Card>
  );
}

/** The present state, and what it means. */
async function Now({ client, access: { total } }: Pick<Props, 'client' | 'access'>) {
  const text = await pageText();
  if (client.access === 'listed' && total.count === 0)
    return (
      <AdminNotice kind="warning" title={text('access.nobodyNow')}>
        {text('access.nobodyText')}
      </AdminNotice>
    );
  return (
    <div className="grid gap-1">
      <p className="font-medium">
        {client.access === 'listed'
          ? text('access.listedNow', ofTotal(total))
          : text('access.everybodyNow')}
      </p>
      {client.access === 'everybody' && (
        <p className="text-sm text-ink-soft">
          {total.count === 0
            ? text('access.waitingNobody')
            : text('access.waiting', ofTotal(total))}
        </p>
      )}
    </div>
  );
}
