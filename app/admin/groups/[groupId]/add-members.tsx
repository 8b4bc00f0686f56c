import { type Candidate, matchUser } from '#lib/management/candidates.ts';
import { pageText } from '../../../locale.ts';
import { Hidden } from '../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { Candidates, candidatesIn } from '../../ui/candidates.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { EndField } from '../../ui/forms/end-field.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { Listed } from '../../ui/listed.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { addGroupMembers } from '../actions.ts';

/** `ends`: when the membership of the one found is to end. */
type Props = { groupId: string; find: string | undefined; ends: string | undefined };

/** Adds people to a group by name, or finds those who could be meant. */
export async function AddMembers({ groupId, find, ends }: Props) {
  const text = await pageText();
  return (
    <div id="add" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ActionForm
        action={addGroupMembers}
        className="flex max-w-2xl flex-wrap items-start gap-3 *:min-w-0 [&>:has(input[name=person])]:flex-1 [&>:has(input[name=person])]:basis-64"
      >
        <Hidden fields={{ group: groupId }} />
        <TextField
          name="person"
          label={text('groups.person')}
          hint={text('groups.personHint')}
          asTyped
          maxLength={4000}
          required
        />
        <EndField />
        <div className="sm:pt-6.5">
          <Submit kind="secondary">{text('groups.addMember')}</Submit>
        </div>
      </ActionForm>
      {find && <Meant to={{ group: groupId, ends_at: ends }} text={find.slice(0, 200)} />}
    </div>
  );
}

/** What each form sends besides the person. */
type To = { group: string; ends_at: string | undefined };

async function Meant({ to, text }: { to: To; text: string }) {
  const words = await pageText();
  const people = candidatesIn(await matchUser(text));
  const shown = stripBidi(text);
  return (
    <Candidates
      label={words('groups.candidates')}
      question={words(people.length > 0 ? 'groups.whichOne' : 'groups.noOne', { text: shown })}
      className="max-w-2xl"
    >
      {people.map((person) => (
        <One key={person.id} to={to} person={person} />
      ))}
    </Candidates>
  );
}

async function One({ to, person: { id, label } }: { to: To; person: Candidate }) {
  const text = await pageText();
  return (
    <Listed
      action={addGroupMembers}
      fields={{ ...to, person: id }}
      button={text('groups.addMember')}
      label={text('groups.addMemberLabel', { name: stripBidi(label) })}
    >
      <QuickLink className="gh-link min-w-0 wrap-anywhere" href={`/admin/people/${id}`}>
        <UserText text={label} />
      </QuickLink>
    </Listed>
  );
}
