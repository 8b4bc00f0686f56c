import { readSettings } from '#lib/store/settings.ts';
import { pageText } from '../../../locale.ts';
import { ChoiceField } from '../../ui/forms/fields.tsx';
import { KeyFields } from '../key-fields.tsx';

// The class name is written out so that it gets into the style sheet.
const forKeys = 'group-has-[[value=off]:checked]/strength:hidden';

/** Asks how a new app proves itself, on servers that require strong clients; elsewhere nothing. */
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
