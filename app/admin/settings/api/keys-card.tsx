import { type ApiKey, usualKeyLife } from '#lib/management/api-key/keys.ts';
import { apiNouns, levels } from '#lib/management/api-key/rights.ts';
import { apiKeyWords as words } from '#lib/messages/admin/api-keys.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Table } from '../../../ui/table.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { Since } from '../../ui/since.tsx';
import { endApiKey } from './actions.ts';
import { KeyForm } from './key-form.tsx';

type Props = { keys: readonly ApiKey[]; now: Date };

/** The keys with which programs call the API. */
export function KeysCard({ keys, now }: Props) {
  return (
    <Card id="api-keys" title={words.title} text={words.text}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <p>
          <a className="gh-link" href="/docs/api">
            {words.docs}
          </a>
        </p>
        {keys.length > 0 ? (
          <KeyTable keys={keys} now={now} />
        ) : (
          <p className="text-ink-soft">{words.none}</p>
        )}
        <KeyForm usualLife={usualKeyLife} nouns={apiNouns} levels={levels} />
      </div>
    </Card>
  );
}

function KeyTable({ keys, now }: Props) {
  return (
    <Table
      caption={words.list}
      columns={[
        { key: 'name', label: words.name },
        { key: 'rights', label: words.columnRights },
        { key: 'maker', label: words.columnMaker },
        { key: 'expires', label: words.columnExpires },
        { key: 'used', label: words.columnUsed },
        { key: 'act', label: <span className="sr-only">{words.remove}</span> },
      ]}
      rows={keys.map((key) => ({ key: key.id, cells: cellsOf(key, now) }))}
    />
  );
}

function cellsOf({ id, name, rights, maker, expiresAt, lastUsedAt }: ApiKey, now: Date) {
  return {
    name: (
      <span className="font-semibold wrap-anywhere">
        <UserText text={name} />
      </span>
    ),
    rights: <span className="font-mono text-sm wrap-anywhere">{rights.join(', ')}</span>,
    maker: maker ? <UserText text={maker.username} /> : words.operator,
    expires: expiresAt > now ? <Moment at={expiresAt} /> : <Badge>{words.expired}</Badge>,
    used: <Since at={lastUsedAt} never={words.never} />,
    act: (
      <ActionForm action={endApiKey} className="grid gap-3 sm:-my-1.5">
        <Hidden fields={{ key: id }} />
        <Confirm
          quiet
          label={words.remove}
          accessibleLabel={words.removeLabel(stripBidi(name))}
          text={words.removeText}
        >
          <Submit kind="danger" size="small">
            {words.removeConfirm}
          </Submit>
        </Confirm>
      </ActionForm>
    ),
  };
}
