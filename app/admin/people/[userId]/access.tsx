import { listGrants } from '#lib/management/grant/grants.ts';
import { factorsOf, type UserRecord } from '#lib/management/user/users.ts';
import { listIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { may, permissionsAbout } from '#lib/people/roles.ts';
import type { Session } from '#lib/store/sessions.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { restNote } from '../../deleted/note.ts';
import { Confirmed } from '../../ui/forms/confirmed.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import {
  deletePerson,
  disablePerson,
  enablePerson,
  keepPerson,
  letPersonTry,
  removePersonFactors,
  requirePersonSteps,
} from '../actions.ts';
import { EndForm } from './end-form.tsx';
import { Group } from './group.tsx';
import { ResetPassword } from './reset-password.tsx';
import { RoleForm } from './role-form.tsx';

const plain = { kind: 'secondary', size: 'small', className: 'grid gap-3' } as const;

type Props = {
  user: UserRecord;
  me: Session['user'];
  locked: boolean;
  /** The password is kept in a directory and has to be changed there. */
  isElsewhere: boolean;
};

/** What decides whether a user can sign in, and the user's role. */
export async function Access({ user, me, locked, isElsewhere }: Props) {
  const text = await pageText();
  const { id, username, disabledAt, deletionAt } = user;
  const { rows, next } = await listGrants({ userId: id, limit: 100 });
  const factors = factorNames(text, await factorsOf(id));
  const isHelped = permissionsAbout(me.role, user).includes('help-people');
  if (!isHelped && !may(me.role, 'see-everything'))
    return (
      <Card id="access" title={text('people.access')}>
        <p className="text-ink-soft">{text('people.accessOutOfReach')}</p>
      </Card>
    );
  return (
    <Card id="access" title={text('people.access')} text={text('people.accessText')}>
      {isHelped && (
        <Group
          title={text('people.accessHelp')}
          text={text(locked ? 'people.accessHelpLocked' : 'people.accessHelpText')}
        >
          {locked && (
            <SaveForm
              {...plain}
              need="help-people"
              save={text('people.tryAgain')}
              action={letPersonTry}
              fields={{ id }}
            />
          )}
          {isElsewhere ? (
            <p className="text-sm">{text('directories.passwordThere')}</p>
          ) : (
            <ResetPassword id={id} username={username} />
          )}
          {factors && (
            <Confirmed
              need="help-people"
              label={text('people.removeFactors')}
              text={text('people.removeFactorsText', { name: username, what: factors })}
              confirm={text('people.removeFactorsConfirm')}
              action={removePersonFactors}
              fields={{ id }}
            />
          )}
        </Group>
      )}
      {may(me.role, 'see-everything') && <RoleForm user={user} />}
      {may(me.role, 'see-everything') && <RequiredSteps user={user} />}
      {may(me.role, 'admin') && !user.admin && !disabledAt && <EndForm user={user} />}
      {may(me.role, 'admin') && (
        <Group
          title={text('people.accessEnd')}
          text={disabledAt ? text('people.accessDisabledText') : text('people.accessEndText')}
        >
          {disabledAt ? (
            <SaveForm
              {...plain}
              save={text('people.enable')}
              action={enablePerson}
              fields={{ id }}
            />
          ) : (
            <Confirmed
              label={text('people.disable')}
              text={text('people.disableText', { name: username })}
              confirm={text('people.disableConfirm')}
              action={disablePerson}
              fields={{ id }}
            />
          )}
          {deletionAt && (
            <SaveForm {...plain} save={text('people.keep')} action={keepPerson} fields={{ id }} />
          )}
          <p>
            <QuickLink className="gh-link font-semibold" href={`/admin/people/${id}/leave`}>
              {text('leave.link')}
            </QuickLink>
          </p>
          <Confirmed
            label={text('people.remove')}
            text={`${text('people.removeText', {
              name: username,
              ...ofTotal({ count: rows.length, more: next !== null }),
            })} ${await restNote(text)}`}
            confirm={text('people.removeConfirm')}
            action={deletePerson}
            fields={{ id }}
          />
        </Group>
      )}
    </Card>
  );
}

/** Whether this person needs a second factor, whatever the server's own rule. */
async function RequiredSteps({ user }: Pick<Props, 'user'>) {
  const text = await pageText();
  const { id, requireSecondFactor: isRequired } = user;
  return (
    <Group
      title={text('people.stepsRule')}
      text={text(isRequired ? 'people.stepsRequiredText' : 'people.stepsOptionalText')}
    >
      <SaveForm
        {...plain}
        save={text(isRequired ? 'people.stepsOptional' : 'people.stepsRequire')}
        action={requirePersonSteps}
        fields={{ id, required: isRequired ? 'off' : 'on' }}
      />
    </Group>
  );
}

/** The factors the user would lose, in words; '' if there are none. */
function factorNames(
  text: Text,
  { totp, passkeys, recoveryCodes }: Awaited<ReturnType<typeof factorsOf>>,
): string {
  const names = [
    totp && text('people.factorApp'),
    passkeys > 0 && text('people.factorPasskeys', { count: passkeys }),
    recoveryCodes > 0 && text('people.factorCodes'),
  ].filter((name) => name !== false);
  return listIn(text.locale, names);
}
