import { readSettings } from '#lib/store/settings.ts';
import { pageText } from '../../../locale.ts';
import { ChoiceField } from '../../ui/forms/fields.tsx';
import { KeyFields } from '../key-fields.tsx';

// A whole name, so that the style sheet has it.
const forKeys = 'group-has-[[value=off]:checked]/strength:hidden';

/** How a new app proves itself, on a server where all apps are to be strong; elsewhere nothing. */
export async function StrengthQuestion() {
  const { requireStrongClients } = await readSettings();
  if (!requireStrongClients) return null;
  const text = await pageText();
  return (
    <div className="group/strength grid gap-5">
      <ChoiceField
        name="strong"
        legend={text('connect.strength')}
        initial={['']}
        options={[
          { value: '', label: text('connect.strengthKey'), hint: text('connect.strengthKeyHint') },
          {
            value: 'off',
            label: text('connect.strengthOff'),
            hint: text('connect.strengthOffHint'),
          },
        ]}
      />
      <div className={`grid gap-5 ${forKeys}`}>
        <KeyFields jwks={null} jwksUri={null} />
      </div>
    </div>
  );
}
