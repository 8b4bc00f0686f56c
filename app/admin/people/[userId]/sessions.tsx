import { deviceOf } from '#lib/identity/device.ts';
import type { SessionRecord } from '#lib/management/session/sessions.ts';
import type { UserRecord } from '#lib/management/user/users.ts';
import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Table } from '../../../ui/table.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { endPersonSession, signPersonOut } from '../actions.ts';

type Props = { user: UserRecord; sessions: readonly SessionRecord[]; here: string };

/** The user's sessions, each with a way to end it. */
export function Sessions({ user, sessions, here }: Props) {
  return (
    <Card id="sessions" title={words.sessions} text={words.sessionsText}>
      {sessions.length === 0 ? (
        <p className="text-ink-soft">{words.sessionsNone}</p>
      ) : (
        <Table
          caption={words.sessions}
          columns={[
            { key: 'device', label: words.columnDevice },
            { key: 'since', label: words.columnSignedIn },
            { key: 'seen', label: words.columnSeen },
            { key: 'address', label: words.columnAddress },
            { key: 'end', label: <span className="sr-only">{words.endSession}</span> },
          ]}
          rows={sessions.map((session) => ({
            key: session.hash,
            cells: cellsOf(session, user, here),
          }))}
        />
      )}
      <ActionForm need="help-people" action={signPersonOut} className="grid gap-3">
        <Hidden fields={{ id: user.id }} />
        <Confirm
          className="mt-4"
          label={words.everywhere}
          text={words.everywhereText(user.username, sessions.length)}
        >
          <Submit kind="danger" size="small">
            {words.everywhereConfirm}
          </Submit>
        </Confirm>
      </ActionForm>
    </Card>
  );
}

function cellsOf(session: SessionRecord, user: UserRecord, here: string) {
  const device = deviceName(session.userAgent);
  return {
    device: (
      <>
        {device} {session.hash === here && <Badge tone="accent">{words.thisBrowser}</Badge>}{' '}
        {session.brief && <Badge>{words.briefSession}</Badge>}
      </>
    ),
    since: <Moment at={session.createdAt} />,
    seen: <Moment at={session.lastSeenAt} />,
    address: <span className="tabular-nums">{session.address ?? '–'}</span>,
    end: (
      <ActionForm need="help-people" action={endPersonSession} className="grid gap-2">
        <Hidden fields={{ id: user.id, session: session.hash }} />
        <div>
          <Submit kind="secondary" size="small" aria-label={words.endSessionLabel(device)}>
            {words.endSession}
          </Submit>
        </div>
      </ActionForm>
    ),
  };
}

/** "Firefox on Linux" */
function deviceName(userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent ?? undefined);
  if (!browser) return system ?? words.unknownBrowser;
  return system ? words.onSystem(browser, system) : browser;
}
