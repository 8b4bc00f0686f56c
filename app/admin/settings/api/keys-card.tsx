import { type ApiKey, usualKeyDays } from '#lib/management/api-key/keys.ts';
import {
  apiNouns,
  levels,
  presetOf,
  type RightsPreset,
  rightsPresets,
} from '#lib/management/api-key/rights.ts';
import { durationIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../../locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Table } from '../../../ui/table.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { When } from '../../../ui/when.tsx';
import { Confirmed } from '../../ui/forms/confirmed.tsx';
import { endApiKey } from './actions.ts';
import { KeyForm } from './key-form.tsx';

type Props = { keys: readonly ApiKey[]; now: Date };

/** The keys with which programs call the API. */
export async function KeysCard({ keys, now }: Props) {
  const text = await pageText();
  return (
    <Card id="api-keys" title={text('apiKeys.title')} text={text('apiKeys.text')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <p>
          <a className="gh-link" href="/docs/api">
            {text('apiKeys.docs')}
          </a>
        </p>
        {keys.length > 0 ? (
          <KeyTable keys={keys} now={now} />
        ) : (
          <p className="text-ink-soft">{text('apiKeys.none')}</p>
        )}
        <KeyForm
          usualLife={durationIn(text.locale, usualKeyDays * 86_400)}
          nouns={byLabel(text)}
          levels={levels}
          presets={Object.keys(rightsPresets) as RightsPreset[]}
        />
      </div>
    </Card>
  );
}

/** The nouns in the order of their names in the reader's language. */
const byLabel = (text: Text) =>
  apiNouns.toSorted((one, other) =>
    text(`apiKeys.nouns.${one}`).localeCompare(text(`apiKeys.nouns.${other}`), text.locale),
  );

async function KeyTable({ keys, now }: Props) {
  const text = await pageText();
  return (
    <Table
      caption={text('apiKeys.list')}
      columns={[
        { key: 'name', label: text('apiKeys.name') },
        { key: 'rights', label: text('apiKeys.columnRights') },
        { key: 'maker', label: text('apiKeys.columnMaker') },
        { key: 'expires', label: text('apiKeys.columnExpires') },
        { key: 'used', label: text('apiKeys.columnUsed') },
        { key: 'act', label: <span className="sr-only">{text('apiKeys.remove')}</span> },
      ]}
      rows={keys.map((key) => ({ key: key.id, cells: cellsOf(text, key, now) }))}
    />
  );
}

/** The name of a usual set, with its rights below; other rights by themselves. */
function Rights({ text, rights }: { text: Text } & Pick<ApiKey, 'rights'>) {
  const preset = presetOf(rights);
  const list = (
    <ul className="flex flex-wrap gap-x-2 font-mono text-sm">
      {rights.map((right) => (
        <li key={right}>{right}</li>
      ))}
    </ul>
  );
  if (!preset) return list;
  return (
    <details>
      <summary>{text(`apiKeys.presets.${preset}`)}</summary>
      {list}
    </details>
  );
}

function cellsOf(
  text: Text,
  { id, name, rights, maker, expiresAt, lastUsedAt }: ApiKey,
  now: Date,
) {
  return {
    name: (
      <span className="font-semibold wrap-anywhere">
        <UserText text={name} />
      </span>
    ),
    rights: <Rights text={text} rights={rights} />,
    maker: maker ? <UserText text={maker.username} /> : text('apiKeys.operator'),
    expires:
      expiresAt > now ? (
        <When locale={text.locale} at={expiresAt} />
      ) : (
        <Badge>{text('apiKeys.expired')}</Badge>
      ),
    used: <When locale={text.locale} at={lastUsedAt} never={text('apiKeys.never')} />,
    act: (
      <Confirmed
        action={endApiKey}
        className="sm:-my-1.5"
        fields={{ key: id }}
        quiet
        label={text('apiKeys.remove')}
        accessibleLabel={text('apiKeys.removeLabel', { name: stripBidi(name) })}
        text={text('apiKeys.removeText')}
        confirm={text('apiKeys.removeConfirm')}
      />
    ),
  };
}
