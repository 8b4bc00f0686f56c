import type { ClientRecord } from '#lib/management/client/clients.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { keptWords } from '#lib/messages/admin/kept.ts';
import { Card } from '../../../../ui/card.tsx';
import { Confirm } from '../../../../ui/confirm.tsx';
import { Day } from '../../../../ui/day.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { clientPage } from '../../../addresses.ts';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { addSecret, deleteSecret } from '../../actions.ts';
import { SecretForm } from '../../secret-form.tsx';

type Props = { client: ClientRecord };

/** The secrets of a client: several at a time, so that one can be replaced while the other works. */
export function SecretsCard({ client, kept }: Props & { kept: boolean }) {
  const count = client.secrets.length;
  return (
    <Card
      id="secrets"
      title={words.secrets}
      text={kept ? `${words.secretsText} ${keptWords.secrets}` : words.secretsText}
    >
      <ul className="divide-y divide-line">
        {client.secrets.map((secret, index) => (
          <Secret
            key={secret.hash}
            client={client}
            secret={secret}
            name={words.secretNumber(count - index)}
          />
        ))}
      </ul>
      <div className="mt-5 border-t border-line pt-5">
        <SecretForm
          action={addSecret}
          className="flex flex-wrap items-start gap-3"
          title={words.secretNew}
          choice="keepOld"
          href={clientPage(client.id, 'settings')}
        >
          <Hidden fields={{ client: client.id }} />
          <Submit size="small" name="keepOld" value="on">
            {words.secretAdd}
          </Submit>
          {count > 0 && (
            <Confirm label={`${words.secretReplace}…`} text={words.secretReplaceWhat(count)}>
              <Submit kind="danger" size="small" name="keepOld" value="off">
                {words.secretReplaceConfirm}
              </Submit>
            </Confirm>
          )}
        </SecretForm>
      </div>
    </Card>
  );
}

function Secret({
  client,
  secret,
  name,
}: Props & { secret: ClientRecord['secrets'][number]; name: string }) {
  return (
    <li className="grid gap-x-6 gap-y-2 py-4 first:pt-0 last:pb-0 sm:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-ink-soft">
          {words.secretMade} <Day locale="en" at={secret.createdAt.toISOString()} /> ·{' '}
          {secret.lastUsedAt ? (
            <>
              {words.secretUsed.toLowerCase()}{' '}
              <Day locale="en" at={secret.lastUsedAt.toISOString()} />
            </>
          ) : (
            words.secretNever.toLowerCase()
          )}{' '}
          · {words.secretAge(secret.hash.slice(0, 8))}
        </p>
      </div>
      {client.secrets.length > 1 && (
        <ActionForm action={deleteSecret} className="grid gap-3">
          <Hidden fields={{ client: client.id, hash: secret.hash }} />
          <Confirm
            label={`${words.secretDelete}…`}
            accessibleLabel={words.secretDeleteLabel(name)}
            text={words.secretDeleteWhat(secret.lastUsedAt !== null)}
          >
            <Submit kind="danger" size="small">
              {words.secretDeleteConfirm}
            </Submit>
          </Confirm>
        </ActionForm>
      )}
    </li>
  );
}
