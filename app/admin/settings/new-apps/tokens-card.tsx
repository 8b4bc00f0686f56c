import {
  type RegistrationToken,
  usualTokenLife,
} from '#lib/management/registration-token/registration-tokens.ts';
import { registrationTokenWords as words } from '#lib/messages/admin/registration-tokens.ts';
import type { IntroductionSettings } from '#lib/settings/table.ts';
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
import { settingsAt } from '../tabs.ts';
import { deleteRegistrationToken } from './actions.ts';
import { TokenForm } from './token-form.tsx';

type Props = {
  tokens: readonly RegistrationToken[];
  mode: IntroductionSettings['clientRegistration'];
  now: Date;
};

/** The tokens with which apps register themselves. */
export function TokensCard({ tokens, mode, now }: Props) {
  const note = mode === 'off' ? words.unused : mode === 'open' ? words.needless : null;
  return (
    <Card id="registration-tokens" title={words.title} text={words.text}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {note && <p className="text-sm text-ink-soft">{note}</p>}
        {tokens.length > 0 ? (
          <TokenTable tokens={tokens} now={now} />
        ) : (
          <p className="text-ink-soft">{words.none}</p>
        )}
        <TokenForm usualLife={usualTokenLife} href={settingsAt('new-apps')} />
      </div>
    </Card>
  );
}

function TokenTable({ tokens, now }: Pick<Props, 'tokens' | 'now'>) {
  return (
    <Table
      caption={words.list}
      columns={[
        { key: 'name', label: words.name },
        { key: 'expires', label: words.columnExpires },
        { key: 'used', label: words.columnUsed },
        { key: 'act', label: <span className="sr-only">{words.remove}</span> },
      ]}
      rows={tokens.map((token) => ({ key: token.id, cells: cellsOf(token, now) }))}
    />
  );
}

function cellsOf({ id, name, expiresAt, lastUsedAt }: RegistrationToken, now: Date) {
  return {
    name: (
      <span className="font-semibold wrap-anywhere">
        <UserText text={name} />
      </span>
    ),
    expires: expiresAt > now ? <Moment at={expiresAt} /> : <Badge>{words.expired}</Badge>,
    used: <Since at={lastUsedAt} never={words.never} />,
    act: (
      <ActionForm action={deleteRegistrationToken} className="grid gap-3 sm:-my-1.5">
        <Hidden fields={{ token: id }} />
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
