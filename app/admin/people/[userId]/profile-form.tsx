import { ownFieldsOf } from '#lib/management/user/field-values.ts';
import type { UserRecord } from '#lib/management/user/users.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { TextField, TickField } from '../../ui/forms/fields.tsx';
import { Fold } from '../../ui/forms/fold.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { savePerson } from '../actions.ts';
import { claimNames, claimValue } from '../claim-fields.ts';
import { WhoFields } from '../who-fields.tsx';
import { OwnFields } from './own-fields.tsx';

const hinted = ['birthdate', 'zoneinfo', 'locale', 'phone_number'] as const;

function hintOf(text: Text, name: string): string | undefined {
  const known = hinted.find((each) => each === name);
  return known && text(`people.claimHints.${known}`);
}

export async function ProfileForm({ user }: { user: UserRecord }) {
  const text = await pageText();
  const fields = await ownFieldsOf(user.id);
  const { username, name, email, emailVerified } = user;
  return (
    <Card id="profile" title={text('people.profile')} text={text('people.profileText')}>
      <SaveForm
        action={savePerson}
        fields={{ id: user.id }}
        seen={String(user.updatedAt.getTime())}
        save={text('people.save')}
      >
        <WhoFields
          person={{ username, name, email, emailVerified }}
          verifiedHint={text('people.emailVerifiedHint')}
        />
        <OwnFields fields={fields} />
        <Fold
          title={text('people.further')}
          names={claimNames}
          open={Object.keys(user.claims).length > 0}
        >
          {claimNames.map((claim) => (
            <TextField
              key={claim}
              name={claim}
              label={text(`people.claims.${claim}`)}
              hint={hintOf(text, claim)}
              optional
              maxLength={500}
              defaultValue={claimValue(user, claim, text.locale)}
            />
          ))}
          <div className="self-center">
            <TickField
              name="phone_number_verified"
              label={text('people.phoneVerified')}
              initial={user.claims.phone_number_verified ?? false}
            />
          </div>
        </Fold>
      </SaveForm>
    </Card>
  );
}
