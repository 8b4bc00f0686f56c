import { listGrants } from '#lib/management/grant/grants.ts';
import { factorsOf, type UserRecord } from '#lib/management/user/users.ts';
import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { may, type Permission, permissionsAbout } from '#lib/people/roles.ts';
import type { Session } from '#lib/store/sessions.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { type Action, ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import {
  deletePerson,
  disablePerson,
  enablePerson,
  letPersonTry,
  removePersonFactors,
} from '../actions.ts';
import { Group } from './group.tsx';
import { ResetPassword } from './reset-password.tsx';
import { RoleForm } from './role-form.tsx';

type Props = { user: UserRecord; me: Session['user']; locked: boolean };

/** What decides whether a user can sign in, and their role. */
export async function Access({ user, me, locked }: Props) {
  const { id, username, disabledAt } = user;
  const { rows, next } = await listGrants({ userId: id, limit: 100 });
  const factors = factorNames(await factorsOf(id));
  const isHelped = permissionsAbout(me.role, user).includes('help-people');
  if (!isHelped && !may(me.role, 'see-everything'))
    return (
      <Card id="access" title={words.access}>
        <p className="text-ink-soft">{words.accessOutOfReach}</p>
      </Card>
    );
  return (
    <Card id="access" title={words.access} text={words.accessText}>
      {isHelped && (
        <Group title={words.accessHelp} text={words.accessHelpText(locked)}>
          {locked && (
            <Plain need="help-people" label={words.tryAgain} action={letPersonTry} id={id} />
          )}
          <ResetPassword id={id} username={username} />
          {factors && (
            <Act
              need="help-people"
              label={words.removeFactors}
              text={words.removeFactorsText(username, factors)}
              confirm={words.removeFactorsConfirm}
              action={removePersonFactors}
              fields={{ id }}
            />
          )}
        </Group>
      )}
      {may(me.role, 'see-everything') && <RoleForm user={user} />}
      {may(me.role, 'admin') && (
        <Group
          title={words.accessEnd}
          text={disabledAt ? words.accessDisabledText : words.accessEndText}
        >
          {disabledAt ? (
            <Plain label={words.enable} action={enablePerson} id={id} />
          ) : (
            <Act
              label={words.disable}
              text={words.disableText(username)}
              confirm={words.disableConfirm}
              action={disablePerson}
              fields={{ id }}
            />
          )}
          <Act
            label={words.remove}
            text={words.removeText(username, { count: rows.length, more: next !== null })}
            confirm={words.removeConfirm}
            action={deletePerson}
            fields={{ id }}
          />
        </Group>
      )}
    </Card>
  );
}

/** What the user would lose, in words; '' if nothing. */
function factorNames({
  totp,
  passkeys,
  recoveryCodes,
}: Awaited<ReturnType<typeof factorsOf>>): string {
  const names = [
    totp && words.factorApp,
    passkeys > 0 && words.factorPasskeys(passkeys),
    recoveryCodes > 0 && words.factorCodes,
  ].filter((name) => name !== false);
  return new Intl.ListFormat('en').format(names);
}

type ActProps = {
  need?: Permission;
  label: string;
  text: string;
  confirm: string;
  action: Action;
  fields: Record<string, string>;
};

/** An action that asks first. */
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

type PlainProps = { need?: Permission; label: string; action: Action; id: string };

/** An action that removes nothing. */
function Plain({ need, label, action, id }: PlainProps) {
  return (
    <ActionForm need={need} action={action} className="grid gap-3">
      <Hidden fields={{ id }} />
      <div>
        <Submit kind="secondary" size="small">
          {label}
        </Submit>
      </div>
    </ActionForm>
  );
}
