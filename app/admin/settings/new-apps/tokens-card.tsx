import {
  type RegistrationToken,
  usualTokenDays,
} from '#lib/management/registration-token/registration-tokens.ts';
import { durationIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import type { RegistrationSettings } from '#lib/settings/table.ts';
import { pageText } from '../../../locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Table } from '../../../ui/table.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { When } from '../../../ui/when.tsx';
import { Confirmed } from '../../ui/forms/confirmed.tsx';
import { settingsAt } from '../tabs.ts';
import { deleteRegistrationToken } from './actions.ts';
import { TokenForm } from './token-form.tsx';

type Props = {
  tokens: readonly RegistrationToken[];
  mode: RegistrationSettings['clientRegistration'];
  now: Date;
};

/** The tokens with which apps register themselves. */
export async function TokensCard({ tokens, mode, now }: Props) {
  const text = await pageText();
  const note =
    mode === 'off'
      ? text('registrationTokens.unused')
      : mode === 'open'
        ? text('registrationTokens.needless')
        : null;
  return (
    <Card
      id="registration-tokens"
      title={text('registrationTokens.title')}
      text={text('registrationTokens.text')}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {note && <p className="text-sm text-ink-soft">{note}</p>}
        {tokens.length > 0 ? (
          <TokenTable tokens={tokens} now={now} />
        ) : (
          <p className="text-ink-soft">{text('registrationTokens.none')}</p>
        )}
        <TokenForm
          usualLife={durationIn(text.locale, usualTokenDays * 86_400)}
          href={settingsAt('new-apps')}
        />
      </div>
    </Card>
  );
}

async function TokenTable({ tokens, now }: Pick<Props, 'tokens' | 'now'>) {
  const text = await pageText();
  return (
    <Table
      caption={text('registrationTokens.list')}
      columns={[
        { key: 'name', label: text('registrationTokens.name') },
        { key: 'expires', label: text('registrationTokens.columnExpires') },
        { key: 'used', label: text('registrationTokens.columnUsed') },
        { key: 'act', label: <span className="sr-only">{text('registrationTokens.remove')}</span> },
      ]}
      rows={tokens.map((token) => ({ key: token.id, cells: cellsOf(text, token, now) }))}
    />
  );
}

function cellsOf(text: Text, { id, name, expiresAt, lastUsedAt }: RegistrationToken, now: Date) {
  return {
    name: (
      <span className="font-semibold wrap-anywhere">
        <UserText text={name} />
      </span>
    ),
    expires:
      expiresAt > now ? (
        <When locale={text.locale} at={expiresAt} />
      ) : (
        <Badge>{text('registrationTokens.expired')}</Badge>
      ),
    used: <When locale={text.locale} at={lastUsedAt} never={text('registrationTokens.never')} />,
    act: (
      <Confirmed
        action={deleteRegistrationToken}
        className="sm:-my-1.5"
        fields={{ token: id }}
        quiet
        label={text('registrationTokens.remove')}
        accessibleLabel={text('registrationTokens.removeLabel', { name: stripBidi(name) })}
        text={text('registrationTokens.removeText')}
        confirm={text('registrationTokens.removeConfirm')}
      />
    ),
  };
}
