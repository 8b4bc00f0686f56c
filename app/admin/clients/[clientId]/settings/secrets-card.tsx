import type { ClientRecord } from '#lib/management/client/clients.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { Confirm } from '../../../../ui/confirm.tsx';
import { Day } from '../../../../ui/day.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { clientPage } from '../../../addresses.ts';
import { Confirmed } from '../../../ui/forms/confirmed.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { addSecret, deleteSecret } from '../../actions.ts';
import { SecretForm } from '../../secret-form.tsx';

type Props = { client: ClientRecord };

/**
 * The secrets of a client. It can have several, so that one can be replaced while another works.
 */
export async function SecretsCard({ client, kept }: Props & { kept: boolean }) {
  const text = await pageText();
  const count = client.secrets.length;
  return (
    <Card
      id="secrets"
      title={text('clients.secrets')}
      text={
        kept
          ? `${text('clients.secretsText')} ${text('kept.secrets')}`
          : text('clients.secretsText')
      }
    >
      <ul className="divide-y divide-line">
        {client.secrets.map((secret, index) => (
          <Secret
            key={secret.hash}
            client={client}
            secret={secret}
            name={text('clients.secretNumber', { number: count - index })}
          />
        ))}
      </ul>
      <div className="mt-5 border-t border-line pt-5">
        <SecretForm
          action={addSecret}
          className="flex flex-wrap items-start gap-3"
          title={text('clients.secretNew')}
          choice="keepOld"
          href={clientPage(client.id, 'settings')}
        >
          <Hidden fields={{ client: client.id }} />
          <Submit size="small" name="keepOld" value="on">
            {text('clients.secretAdd')}
          </Submit>
          {count > 0 && (
            <Confirm
              label={`${text('clients.secretReplace')}…`}
              text={text('clients.secretReplaceWhat', { count })}
            >
              <Submit kind="danger" size="small" name="keepOld" value="off">
                {text('clients.secretReplaceConfirm')}
              </Submit>
            </Confirm>
          )}
        </SecretForm>
      </div>
    </Card>
  );
}

async function Secret({
  client,
  secret,
  name,
}: Props & { secret: ClientRecord['secrets'][number]; name: string }) {
  const text = await pageText();
  return (
    <li className="grid gap-x-6 gap-y-2 py-4 first:pt-0 last:pb-0 sm:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-ink-soft">
          {text('clients.secretMade')}{' '}
          <Day locale={text.locale} at={secret.createdAt.toISOString()} /> ·{' '}
          {secret.lastUsedAt ? (
            <>
              {text('clients.secretUsed').toLowerCase()}{' '}
              <Day locale={text.locale} at={secret.lastUsedAt.toISOString()} />
            </>
          ) : (
            text('clients.secretNever').toLowerCase()
          )}{' '}
          · {text('clients.secretAge', { hash: secret.hash.slice(0, 8) })}
        </p>
      </div>
      {client.secrets.length > 1 && (
        <Confirmed
          action={deleteSecret}
          fields={{ client: client.id, hash: secret.hash }}
          label={`${text('clients.secretDelete')}…`}
          accessibleLabel={text('clients.secretDeleteLabel', { name })}
          text={text(
            secret.lastUsedAt !== null ? 'clients.secretDeleteUsed' : 'clients.secretDeleteUnused',
          )}
          confirm={text('clients.secretDeleteConfirm')}
        />
      )}
    </li>
  );
}
