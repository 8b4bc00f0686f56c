import type { ReactNode } from 'react';
import type { Person } from '#lib/management/user/person.ts';
import { countOf } from '#lib/messages/admin/frame.ts';
import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Day } from '../../../ui/day.tsx';
import { EmailAddress } from '../../../ui/email-address.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { clientPage } from '../../addresses.ts';
import { QuickLink } from '../../ui/quick-link.tsx';
import { Since } from '../../ui/since.tsx';

/** What one comes to the page of a person for. */
export function Facts({ person }: { person: Person }) {
  const { user, sessions, apps, developerOf } = person;
  return (
    <Card id="facts" title={words.facts}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        <Fact label={words.factStatus}>
          <Status person={person} />
        </Fact>
        <Fact label={words.columnSignIn}>
          <Since at={user.lastSignInAt} never={words.never} />
        </Fact>
        <Fact label={words.email}>
          <EmailAddress text={user.email} />{' '}
          <Badge tone={user.emailVerified ? 'accent' : 'neutral'}>
            {user.emailVerified ? words.confirmed : words.unconfirmed}
          </Badge>
        </Fact>
        <Fact label={words.factPassword}>
          {user.hasPassword ? words.passwordSet : words.passwordNone}
          {user.mustChangePassword && (
            <span className="block text-sm text-ink-soft">{words.passwordTemporary}</span>
          )}
        </Fact>
        <Fact label={words.columnSteps}>
          <SecondSteps person={person} />
        </Fact>
        <Fact label={words.factUse}>
          <a className="gh-link" href="#sessions">
            {words.devices(sessions.length)}
          </a>
          {', '}
          <a className="gh-link" href="#approvals">
            {words.apps(countOf(apps), apps.count === 1)}
          </a>
        </Fact>
        {developerOf.length > 0 && (
          <Fact label={words.developerOf}>
            {developerOf.map(({ id, name }) => (
              <QuickLink
                key={id}
                className="gh-link block w-fit wrap-anywhere"
                href={clientPage(id, 'access')}
              >
                <UserText text={name} />
              </QuickLink>
            ))}
          </Fact>
        )}
        <Fact label={words.columnSince}>
          <Day locale="en" at={user.createdAt.toISOString()} />
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

function Status({ person: { user, lockedUntil } }: { person: Person }) {
  if (user.disabledAt)
    return (
      <>
        {words.disabledSince} <Moment at={user.disabledAt} />
      </>
    );
  if (lockedUntil)
    return (
      <>
        {words.lockedUntil} <Moment at={lockedUntil} />
      </>
    );
  return words.enabled;
}

/** The authenticator app, each passkey by its name, and what stands in for them. */
function SecondSteps({ person }: { person: Person }) {
  const { totpSince, passkeys, recoveryCodes } = person;
  if (!totpSince && passkeys.length === 0) return words.stepsNone;
  return (
    <ul className="grid gap-1">
      {totpSince && (
        <li>
          {words.stepApp}
          <span className="block text-sm font-normal text-ink-soft">
            {words.stepSince} <Day locale="en" at={totpSince.toISOString()} />
          </span>
        </li>
      )}
      {passkeys.map(({ id, name, lastUsedAt }) => (
        <li key={id} className="wrap-anywhere">
          {words.stepPasskey} <UserText text={name} />
          <span className="block text-sm font-normal text-ink-soft">
            {words.stepUsed} <Since at={lastUsedAt} never={words.stepNeverUsed} />
          </span>
        </li>
      ))}
      <li className="text-sm font-normal text-ink-soft">{words.codesLeft(recoveryCodes)}</li>
    </ul>
  );
}
