import { ownFieldsOf } from '#lib/management/user/field-values.ts';
import type { UserRecord } from '#lib/management/user/users.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField, TickField } from '../../ui/forms/fields.tsx';
import { Seen } from '../../ui/forms/seen.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { savePerson } from '../actions.ts';
import { claimNames, claimValue } from '../claim-fields.ts';
import { FurtherDetails } from './further-details.tsx';
import { OwnFields } from './own-fields.tsx';

const hinted = ['birthdate', 'zoneinfo', 'locale', 'phone_number'] as const;

function hintOf(text: Text, name: string): string | undefined {
  const known = hinted.find((each) => each === name);
  return known && text(`people.claimHints.${known}`);
}

/** The user's profile. */
export async function ProfileForm({ user }: { user: UserRecord }) {
  const text = await pageText();
  const fields = await ownFieldsOf(user.id);
  return (
    <Card id="profile" title={text('people.profile')} text={text('people.profileText')}>
      <ActionForm action={savePerson}>
        <Hidden fields={{ id: user.id }} />
        <Seen value={String(user.updatedAt.getTime())} />
        <div className="grid items-start gap-5 md:grid-cols-2">
          <TextField
            name="username"
            label={text('people.username')}
            hint={text('people.usernameHint')}
            required
            maxLength={64}
            spellCheck={false}
            autoCapitalize="none"
            defaultValue={user.username}
          />
          <TextField
            name="name"
            label={text('people.name')}
            optional
            maxLength={200}
            defaultValue={user.name ?? ''}
          />
          <TextField
            name="email"
            type="email"
            label={text('people.email')}
            required
            maxLength={254}
            spellCheck={false}
            defaultValue={user.email}
          />
          <div className="md:pt-7">
            <TickField
              name="emailVerified"
              label={text('people.emailVerified')}
              hint={text('people.emailVerifiedHint')}
              initial={user.emailVerified}
            />
          </div>
        </div>
        <OwnFields fields={fields} />
        <FurtherDetails names={claimNames} open={Object.keys(user.claims).length > 0}>
          {claimNames.map((name) => (
            <TextField
              key={name}
              name={name}
              label={text(`people.claims.${name}`)}
              hint={hintOf(text, name)}
              optional
              maxLength={500}
              defaultValue={claimValue(user, name)}
            />
          ))}
          <div className="self-center">
            <TickField
              name="phone_number_verified"
              label={text('people.phoneVerified')}
              initial={user.claims.phone_number_verified ?? false}
            />
          </div>
        </FurtherDetails>
        <div>
          <Submit>{text('people.save')}</Submit>
        </div>
      </ActionForm>
    </Card>
  );
}
