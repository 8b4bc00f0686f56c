import { pageText } from '../../../locale.ts';
import { ChoiceField, TextField } from '../../ui/forms/fields.tsx';

// The class name is written out so that it gets into the style sheet.
const forListed = 'not-group-has-[[value=listed]:checked]/access:hidden';

/** Asks who may use the new app, and for groups if it is limited to those. */
export async function AccessQuestion() {
  const text = await pageText();
  return (
    <div className="group/access grid gap-4">
      <ChoiceField
        name="access"
        legend={text('access.question')}
        initial={['everybody']}
        options={[
          { value: 'everybody', label: text('access.everybody') },
          { value: 'listed', label: text('access.listed'), hint: text('access.listedHint') },
        ]}
      />
      <div className={forListed}>
        <TextField
          name="group"
          label={text('access.newGroups')}
          hint={text('access.newGroupsHint')}
          asTyped
          maxLength={2000}
          optional
        />
      </div>
    </div>
  );
}
