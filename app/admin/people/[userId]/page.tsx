import { decoded } from '#lib/http/decoded.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { listGrants } from '#lib/management/grant/grants.ts';
import { showPerson } from '#lib/management/user/person.ts';
import type { UserRecord } from '#lib/management/user/users.ts';
import { may, permissionsAbout } from '#lib/people/roles.ts';
import type { Session } from '#lib/store/sessions.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { ApprovalTable } from '../../approvals/approval-table.tsx';
import { EventList } from '../../audit/event-list.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { Allowed, OnlyFor } from '../../ui/allowed.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { AppPasswordsCard } from '../app-passwords.tsx';
import { RoleBadge } from '../role-badge.tsx';
import { Access } from './access.tsx';
import { DirectoryCard } from './directory.tsx';
import { Facts } from './facts.tsx';
import { GroupsCard } from './groups-card.tsx';
import { Identities } from './identities.tsx';
import { ProfileForm } from './profile-form.tsx';
import { Sessions } from './sessions.tsx';
import { UsableAppsCard } from './usable-apps.tsx';

type Props = { params: Promise<{ userId: string }> };

export default async function PersonPage({ params }: Props) {
  const me = await guardPage('/admin/people/[userId]');
  const text = await pageText();
  const key = decoded((await params).userId);
  const person = await orNotFound(showPerson(key, new Date()));
  const { user, sessions } = person;
  return (
    <AdminPage title={user.username} heading={<Heading user={user} me={me} />} up="/admin/people">
      {user.usernameUnfit && <AdminNotice kind="warning">{text('people.unfitText')}</AdminNotice>}
      <Facts person={person} />
      <Allowed permissions={permissionsAbout(me.user.role, user)}>
        <Sessions user={user} sessions={sessions} here={me.hash} />
        <Identities user={user} identities={person.identities} />
        <AppPasswordsCard of={{ userId: user.id }} back={`/admin/people/${user.id}`} />
        <Approvals user={user} />
        <Recent user={user} />
        <UsableAppsCard user={user} />
        <GroupsCard user={user} mayChange={may(me.user.role, 'admin')} />
        <ProfileForm user={user} />
        <DirectoryCard person={person} mayLink={may(me.user.role, 'admin')} />
        <Access
          user={user}
          me={me.user}
          locked={person.lockedUntil !== null}
          isElsewhere={person.directory !== null}
        />
      </Allowed>
    </AdminPage>
  );
}

async function Heading({ user, me }: { user: UserRecord; me: Session }) {
  const text = await pageText();
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
      <Avatar
        id={user.id}
        name={user.name || user.username}
        image={user.picture ?? undefined}
        className="size-10 text-base"
      />
      <UserText text={user.name || user.username} />
      {user.name && (
        <span className="text-lg font-normal text-ink-soft">
          <UserText text={user.username} />
        </span>
      )}
      {user.id === me.user.id && <Badge>{text('people.you')}</Badge>}
      <RoleBadge role={user.role} text={text} />
      {user.usernameUnfit && <Badge tone="warning">{text('people.unfit')}</Badge>}
      {user.deletionAt && <Badge tone="warning">{text('people.leaving')}</Badge>}
      {user.disabledAt && <Badge tone="danger">{text('people.disabled')}</Badge>}
    </span>
  );
}

async function Approvals({ user }: { user: UserRecord }) {
  const text = await pageText();
  const { rows, next } = await listGrants({ userId: user.id, limit: 10 });
  return (
    <Card id="approvals" title={text('people.approvals')} text={text('people.approvalsText')}>
      {rows.length > 0 ? (
        <ApprovalTable approvals={rows} of="person" back={`/admin/people/${user.id}`} />
      ) : (
        <p className="text-ink-soft">{text('people.approvalsNone')}</p>
      )}
      {next && (
        <OnlyFor need="see-everything">
          <p className="mt-3">
            <QuickLink
              className="gh-link font-semibold"
              href={`/admin/approvals?person=${encodeURIComponent(user.username)}`}
            >
              {text('people.allApprovals')}
            </QuickLink>
          </p>
        </OnlyFor>
      )}
    </Card>
  );
}

async function Recent({ user }: { user: UserRecord }) {
  const text = await pageText();
  const { rows } = await listAudit({ userId: user.id, limit: 8 });
  return (
    <Card id="recent" title={text('people.recent')}>
      {rows.length > 0 ? (
        <EventList events={rows} />
      ) : (
        <p className="text-ink-soft">{text('people.recentNone')}</p>
      )}
      <OnlyFor need="see-everything">
        <p className="mt-4">
          <QuickLink
            className="gh-link font-semibold"
            href={`/admin/audit?person=${encodeURIComponent(user.username)}`}
          >
            {text('people.allEvents')}
          </QuickLink>
          {' · '}
          <QuickLink
            className="gh-link font-semibold"
            href={`/admin/traces?person=${encodeURIComponent(user.username)}`}
          >
            {text('people.allAttempts')}
          </QuickLink>
        </p>
      </OnlyFor>
    </Card>
  );
}
