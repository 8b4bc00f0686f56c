import type { UserRecord } from '#lib/management/user/users.ts';
import { pageText } from '../../../locale.ts';
import { EndField } from '../../ui/forms/end-field.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { setPersonEnd } from '../actions.ts';
import { Group } from './group.tsx';

/** The day on which this account ends by itself. */
export async function EndForm({ user: { id, endsAt } }: { user: UserRecord }) {
  const text = await pageText();
  return (
    <Group title={text('people.ends')} text={text('people.endsText')}>
      <SaveForm
        action={setPersonEnd}
        label={text('people.ends')}
        className="grid max-w-xs gap-3"
        fields={{ id }}
        kind="secondary"
        size="small"
        save={text('people.endsSave')}
      >
        <EndField at={endsAt} />
      </SaveForm>
    </Group>
  );
}
