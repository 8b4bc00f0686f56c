import { listGrants } from '#lib/management/grants.ts';
import { factorsOf, type UserRecord } from '#lib/management/users.ts';
import { peopleWords as words } from '#lib/messages/admin/people.ts';
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
  setPersonRole,
} from '../actions.ts';
import { ResetPassword } from './reset-password.tsx';

/** What decides whether a user can sign in, and their role. */
export async function Access({ user }: { user: UserRecord }) {
  const { id, username, admin, disabledAt } = user;
  const { rows, next } = await listGrants({ userId: id, limit: 100 });
  const factors = factorNames(await factorsOf(id));
  const role = admin
    ? {
        label: words.unmakeAdmin,
        text: words.unmakeAdminText(username),
        confirm: words.unmakeAdminConfirm,
      }
    : {
        label: words.makeAdmin,
        text: words.makeAdminText(username),
        confirm: words.makeAdminConfirm,
      };
  return (
    <Card id="access" title={words.access} text={words.accessText}>
      <div className="grid gap-3">
        <Act {...role} action={setPersonRole} fields={{ id, role: admin ? 'member' : 'admin' }} />
        <ResetPassword id={id} username={username} />
        {factors && (
          <Act
            label={words.removeFactors}
            text={words.removeFactorsText(username, factors)}
            confirm={words.removeFactorsConfirm}
            action={removePersonFactors}
            fields={{ id }}
          />
        )}
        <Plain label={words.tryAgain} action={letPersonTry} id={id} />
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
          text={words.removeText(
            username,
            next ? `${words.removeApps(rows.length)}+` : words.removeApps(rows.length),
          )}
          confirm={words.removeConfirm}
          action={deletePerson}
          fields={{ id }}
        />
      </div>
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
  label: string;
  text: string;
  confirm: string;
  action: Action;
  fields: Record<string, string>;
};

/** An action that asks first. */
function Act({ label, text, confirm, action, fields }: ActProps) {
  return (
    <ActionForm action={action} className="grid gap-3">
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

/** An action that removes nothing. */
function Plain({ label, action, id }: { label: string; action: Action; id: string }) {
  return (
    <ActionForm action={action} className="grid gap-3">
      <Hidden fields={{ id }} />
      <div>
        <Submit kind="secondary" size="small">
          {label}
        </Submit>
      </div>
    </ActionForm>
  );
}
