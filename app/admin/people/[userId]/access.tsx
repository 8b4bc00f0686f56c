import { listGrants } from '#lib/management/grant/grants.ts';
import { factorsOf, type UserRecord } from '#lib/management/user/users.ts';
import { listIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { may, type Permission, permissionsAbout } from '#lib/people/roles.ts';
import type { Session } from '#lib/store/sessions.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { type Action, ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
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
import { Group } from './group.tsx';
import { ResetPassword } from './reset-password.tsx';
import { RoleForm } from './role-form.tsx';

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
            <Plain
              need="help-people"
              label={text('people.tryAgain')}
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
            <Act
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
      {may(me.role, 'admin') && (
        <Group
          title={text('people.accessEnd')}
          text={disabledAt ? text('people.accessDisabledText') : text('people.accessEndText')}
        >
          {disabledAt ? (
            <Plain label={text('people.enable')} action={enablePerson} fields={{ id }} />
          ) : (
            <Act
              label={text('people.disable')}
              text={text('people.disableText', { name: username })}
              confirm={text('people.disableConfirm')}
              action={disablePerson}
              fields={{ id }}
            />
          )}
          {deletionAt && <Plain label={text('people.keep')} action={keepPerson} fields={{ id }} />}
          <p>
            <QuickLink className="gh-link font-semibold" href={`/admin/people/${id}/leave`}>
              {text('leave.link')}
            </QuickLink>
          </p>
          <Act
            label={text('people.remove')}
            text={text('people.removeText', {
              name: username,
              ...ofTotal({ count: rows.length, more: next !== null }),
            })}
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
      <Plain
        label={text(isRequired ? 'people.stepsOptional' : 'people.stepsRequire')}
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

type ActProps = {
  need?: Permission;
  label: string;
  text: string;
  confirm: string;
  action: Action;
  fields: Record<string, string>;
};

/** An action that asks for a confirmation first. */
function Act({ need, label, text, confirm, action, fields }: ActProps) {
  return (
    <ActionForm need={need} action={action} className="grid gap-3">
      <Hidden fields={fields} />
      <Confirm label={label} text={text}>
        <div>
          <Submit kind="danger" size="small">
            {confirm}
          </Submit>
        </div>
      </Confirm>
    </ActionForm>
  );
}

type PlainProps = Omit<ActProps, 'text' | 'confirm'>;

/** An action that removes nothing. */
function Plain({ need, label, action, fields }: PlainProps) {
  return (
    <ActionForm need={need} action={action} className="grid gap-3">
      <Hidden fields={fields} />
      <div>
        <Submit kind="secondary" size="small">
          {label}
        </Submit>
      </div>
    </ActionForm>
  );
}
