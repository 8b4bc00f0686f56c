import { deviceOf } from '#lib/identity/device.ts';
import type { SessionRecord } from '#lib/management/session/sessions.ts';
import type { UserRecord } from '#lib/management/user/users.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../../locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/when.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Confirmed } from '../../ui/forms/confirmed.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { endPersonSession, signPersonOut } from '../actions.ts';

type Props = { user: UserRecord; sessions: readonly SessionRecord[]; here: string };

/** The user's sessions, each with a button to end it. */
export async function Sessions({ user, sessions, here }: Props) {
  const text = await pageText();
  return (
    <Card id="sessions" title={text('people.sessions')} text={text('people.sessionsText')}>
      {sessions.length === 0 ? (
        <p className="text-ink-soft">{text('people.sessionsNone')}</p>
      ) : (
        <Table
          caption={text('people.sessions')}
          columns={[
            { key: 'device', label: text('people.columnDevice') },
            { key: 'since', label: text('people.columnSignedIn') },
            { key: 'seen', label: text('people.columnSeen') },
            { key: 'address', label: text('people.columnAddress') },
            { key: 'end', label: <span className="sr-only">{text('people.endSession')}</span> },
          ]}
          rows={sessions.map((session) => ({
            key: session.hash,
            cells: cellsOf(text, session, user, here),
          }))}
        />
      )}
      <Confirmed
        need="help-people"
        action={signPersonOut}
        className="mt-4"
        fields={{ id: user.id }}
        label={text('people.everywhere')}
        text={text('people.everywhereText', { name: user.username, count: sessions.length })}
        confirm={text('people.everywhereConfirm')}
      />
    </Card>
  );
}

function cellsOf(text: Text, session: SessionRecord, user: UserRecord, here: string) {
  const device = deviceName(text, session.userAgent);
  return {
    device: (
      <>
        {device}{' '}
        {session.hash === here && <Badge tone="accent">{text('people.thisBrowser')}</Badge>}{' '}
        {session.brief && <Badge>{text('people.briefSession')}</Badge>}
      </>
    ),
    since: <When locale={text.locale} at={session.createdAt} />,
    seen: <When locale={text.locale} at={session.lastSeenAt} />,
    address: <span className="tabular-nums">{session.address ?? '–'}</span>,
    end: (
      <ActionForm need="help-people" action={endPersonSession} className="grid gap-2">
        <Hidden fields={{ id: user.id, session: session.hash }} />
        <div>
          <Submit
            kind="secondary"
            size="small"
            aria-label={text('people.endSessionLabel', { device })}
          >
            {text('people.endSession')}
          </Submit>
        </div>
      </ActionForm>
    ),
  };
}

/** "Firefox on Linux" */
function deviceName(text: Text, userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent ?? undefined);
  if (!browser) return system ?? text('people.unknownBrowser');
  return system ? text('people.onSystem', { browser, system }) : browser;
}
