import { notFound, redirect } from 'next/navigation';
import { needOf } from '#lib/identity/guards.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { lookAhead, mostWithoutNote } from '#lib/management/batch/batches.ts';
import { type OperationName, operationNamed, startable } from '#lib/management/batch/operations.ts';
import { sentenceIn, type Text } from '#lib/messages/text.ts';
import { may } from '#lib/people/roles.ts';
import type { BatchSubject } from '#lib/store/batches.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { knownOption, readParams, type SearchParams } from '../../../../params.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { groupChoices } from '../../../groups/filter.ts';
import { orRefusal } from '../../../or-refusal.ts';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { AdminPage } from '../../../ui/admin-page.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { EndField } from '../../../ui/forms/end-field.tsx';
import { SelectField, TextField } from '../../../ui/forms/fields.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { hrefOf } from '../../../ui/href.ts';
import { readSelection } from '../../../ui/table/selection.ts';
import { Links } from '../../invite/links.tsx';
import { startForMany } from '../actions.ts';
import { carriedFields, chosenBy } from '../chosen.ts';

type Query = Readonly<Record<string, string>>;
type Props = { params: Promise<{ operation: string }>; searchParams: SearchParams };

/** Asks for one confirmation before an action is done to everyone chosen in a list. */
export default async function ManyPage({ params, searchParams }: Props) {
  const { user } = await guardPage('/admin/people/many/[operation]');
  const name = knownOption(startable, (await params).operation) ?? notFound();
  if (!may(user.role, needOf(operationNamed(name)?.act.may ?? 'admin').permission)) notFound();
  const text = await pageText();
  const sent = await searchParams;
  const selection = readSelection(sent) ?? redirect('/admin/people');
  const chosen = await chosenBy(selection);
  const found = await orRefusal(lookAhead(name, chosen, new Date()));
  const count = 'key' in found ? 0 : found.length;
  const byHand = name === 'resend-invitation' && !canSendMail();
  const up = listOf(text, name, await readParams(searchParams));
  return (
    <AdminPage
      title={byHand ? text('links.title') : text(`batches.ask.${name}`, { count })}
      text={byHand ? undefined : text(`batches.text.${name}`)}
      up={up}
      width="narrow"
    >
      {'key' in found ? (
        <AdminNotice kind="error">{sentenceIn(text.locale, found)}</AdminNotice>
      ) : (
        <Card>
          <Names found={found} />
          {byHand ? (
            <Links ids={found.map(({ subject }) => subject)} />
          ) : (
            <Confirmation name={name} count={count} carried={carriedFields(sent)} back={up.href} />
          )}
        </Card>
      )}
    </AdminPage>
  );
}

/** The list in which they were chosen, with its filters. */
function listOf(text: Text, name: OperationName, { id: _, all: __, ...filters }: Query) {
  return operationNamed(name)?.noun === 'invitation'
    ? { href: '/admin/people/invite', label: text('invite.title') }
    : { href: hrefOf('/admin/people', filters), label: text('people.title') };
}

/** The maximum number of names shown before confirming. */
const mostNamed = 20;

async function Names({ found }: { found: readonly BatchSubject[] }) {
  const text = await pageText();
  const more = found.length - mostNamed;
  return (
    <ul className="mb-5 flex flex-wrap gap-1.5 text-sm">
      {found.slice(0, mostNamed).map(({ subject, label }) => (
        <li key={subject} className="rounded-md bg-sunken px-2 py-0.5 wrap-anywhere">
          <UserText text={label} />
        </li>
      ))}
      {more > 0 && (
        <li className="px-1 py-0.5 text-ink-soft">{text('batches.more', { count: more })}</li>
      )}
    </ul>
  );
}

type ConfirmationProps = {
  name: OperationName;
  count: number;
  carried: [string, string][];
  back: string;
};

async function Confirmation({ name, count, carried, back }: ConfirmationProps) {
  const text = await pageText();
  const operation = operationNamed(name);
  return (
    <ActionForm need="help-people" action={startForMany}>
      <input type="hidden" name="operation" value={name} />
      <input type="hidden" name="expect" value={count} />
      {carried.map(([field, value]) => (
        <input key={`${field} ${value}`} type="hidden" name={field} value={value} />
      ))}
      {operation?.group && <GroupField />}
      {operation?.until && <EndField />}
      {count > mostWithoutNote && operation?.noun !== 'invitation' && (
        <TextField
          name="note"
          label={text('batches.note')}
          hint={text('batches.noteHint')}
          maxLength={500}
        />
      )}
      {operation?.noun !== 'invitation' && name !== 'delete' && (
        <p className="mb-5 text-sm text-ink-soft">
          {text(operation?.undo === 'never' ? 'batches.cannotUndo' : 'batches.canUndo')}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Submit kind={operation?.ends ? 'danger' : 'primary'}>
          {text(`batches.confirm.${name}`, { count })}
        </Submit>
        <ButtonLink kind="quiet" href={back}>
          {text('batches.back')}
        </ButtonLink>
      </div>
    </ActionForm>
  );
}

/** A choice of group if there are few; otherwise a field for its name. */
async function GroupField() {
  const text = await pageText();
  const choices = await groupChoices();
  if (choices === null)
    return <TextField name="group" label={text('batches.group')} maxLength={200} />;
  const options = choices.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField
      name="group"
      label={text('batches.group')}
      options={[{ value: '', label: text('batches.chooseGroup') }, ...options]}
    />
  );
}
