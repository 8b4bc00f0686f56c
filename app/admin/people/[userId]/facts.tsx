import type { Person } from '#lib/management/user/person.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { pageText } from '../../../locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Day } from '../../../ui/day.tsx';
import { EmailAddress } from '../../../ui/email-address.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { When } from '../../../ui/when.tsx';
import { clientPage } from '../../addresses.ts';
import { Fact } from '../../ui/fact.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { Until } from '../../ui/until.tsx';

/** The facts for which admins most often open a person's page. */
export async function Facts({ person }: { person: Person }) {
  const text = await pageText();
  const { user, sessions, apps, developerOf } = person;
  return (
    <Card id="facts" title={text('people.facts')}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        <Fact label={text('people.factStatus')}>
          <Status person={person} />
        </Fact>
        <Fact label={text('people.columnSignIn')}>
          <When locale={text.locale} at={user.lastSignInAt} never={text('people.never')} />
        </Fact>
        <Fact label={text('people.email')}>
          <EmailAddress text={user.email} />{' '}
          <Badge tone={user.emailVerified ? 'accent' : 'neutral'}>
            {user.emailVerified ? text('people.confirmed') : text('people.unconfirmed')}
          </Badge>
        </Fact>
        <Fact label={text('people.factPassword')}>
          {person.directory ? (
            <a className="gh-link wrap-anywhere" href="#directory">
              {text('directories.in', { name: stripBidi(person.directory.name) })}
            </a>
          ) : user.hasPassword ? (
            text('people.passwordSet')
          ) : (
            text('people.passwordNone')
          )}
          {user.mustChangePassword && (
            <span className="block text-sm text-ink-soft">{text('people.passwordTemporary')}</span>
          )}
        </Fact>
        <Fact label={text('people.columnSteps')}>
          <SecondSteps person={person} />
        </Fact>
        <Fact label={text('people.factUse')}>
          <a className="gh-link" href="#sessions">
            {text('people.devices', { count: sessions.length })}
          </a>
          {', '}
          <a className="gh-link" href="#approvals">
            {text('people.apps', ofTotal(apps))}
          </a>
        </Fact>
        {developerOf.length > 0 && (
          <Fact label={text('people.developerOf')}>
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
        <Fact label={text('people.columnSince')}>
          <Day locale={text.locale} at={user.createdAt.toISOString()} />
        </Fact>
      </dl>
    </Card>
  );
}

async function Status({ person: { user, lockedUntil } }: { person: Person }) {
  const text = await pageText();
  if (user.disabledAt)
    return (
      <>
        {text('people.disabledSince')} <Moment locale={text.locale} at={user.disabledAt} />
      </>
    );
  if (lockedUntil)
    return (
      <>
        {text('people.lockedUntil')} <Moment locale={text.locale} at={lockedUntil} />
      </>
    );
  if (user.deletionAt)
    return (
      <>
        {text('people.deletedOn')} <Moment locale={text.locale} at={user.deletionAt} />
      </>
    );
  return (
    <>
      {text('people.enabled')} <Until at={user.endsAt} />
    </>
  );
}

/** The authenticator app, each passkey by name, and the recovery codes that replace them. */
async function SecondSteps({ person }: { person: Person }) {
  const text = await pageText();
  const { totpSince, passkeys, recoveryCodes } = person;
  const isRequired = person.user.requireSecondFactor;
  if (!totpSince && passkeys.length === 0)
    return text(isRequired ? 'people.stepsRequiredNone' : 'people.stepsNone');
  return (
    <ul className="grid gap-1">
      {isRequired && <li>{text('people.stepsRequiredFact')}</li>}
      {totpSince && (
        <li>
          {text('people.stepApp')}
          <span className="block text-sm font-normal text-ink-soft">
            {text('people.stepSince')} <Day locale={text.locale} at={totpSince.toISOString()} />
          </span>
        </li>
      )}
      {passkeys.map(({ id, name, lastUsedAt }) => (
        <li key={id} className="wrap-anywhere">
          {text('people.stepPasskey')} <UserText text={name} />
          <span className="block text-sm font-normal text-ink-soft">
            {text('people.stepUsed')}{' '}
            <When locale={text.locale} at={lastUsedAt} never={text('people.stepNeverUsed')} />
          </span>
        </li>
      ))}
      <li className="text-sm font-normal text-ink-soft">
        {text('people.codesLeft', { count: recoveryCodes })}
      </li>
    </ul>
  );
}
