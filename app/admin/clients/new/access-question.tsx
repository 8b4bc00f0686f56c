import { accessWords as words } from '#lib/messages/admin/access.ts';
import { ChoiceField, TextField } from '../../ui/forms/fields.tsx';

// A whole name, so that the style sheet has it.
const forListed = 'not-group-has-[[value=listed]:checked]/access:hidden';

/** Who may use the new app. Groups are asked for where they are meant. */
export function AccessQuestion() {
  return (
    <div className="group/access grid gap-4">
      <ChoiceField
        name="access"
        legend={words.question}
        initial={['everybody']}
        options={[
          { value: 'everybody', label: words.everybody },
          { value: 'listed', label: words.listed, hint: words.listedHint },
        ]}
      />
      <div className={forListed}>
        <TextField
          name="group"
          label={words.newGroups}
          hint={words.newGroupsHint}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
          optional
        />
      </div>
    </div>
  );
}
