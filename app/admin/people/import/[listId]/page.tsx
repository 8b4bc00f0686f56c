import { decoded } from '#lib/http/decoded.ts';
import { knownColumns } from '#lib/import/columns.ts';
import { noColumn } from '#lib/import/heads.ts';
import { type Import, planImport } from '#lib/import/imports.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { actingFreely } from '#lib/management/act.ts';
import { sentenceIn } from '#lib/messages/text.ts';
import { may } from '#lib/people/roles.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../../params.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Select } from '../../../../ui/select.tsx';
import { Table } from '../../../../ui/table.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { groupChoices } from '../../../groups/filter.ts';
import { GroupsField } from '../../../groups/groups-field.tsx';
import { orRefusal } from '../../../or-refusal.ts';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { AdminPage } from '../../../ui/admin-page.tsx';
import { AreaField, SelectField, TickField } from '../../../ui/forms/fields.tsx';
import { SaveForm } from '../../../ui/forms/save-form.tsx';
import { languageOptions } from '../../language-options.ts';
import { invitePeople } from '../actions.ts';
import { columnLabel } from '../column-label.ts';

type Props = { params: Promise<{ listId: string }>; searchParams: SearchParams };

/**
 * What would happen to each line of a list, given the meaning of its columns; and the form that
 * invites.
 */
export default async function ListPage({ params, searchParams }: Props) {
  const { user } = await guardPage('/admin/people/import/[listId]');
  const text = await pageText();
  const id = decoded((await params).listId);
  const by = actingFreely(user.role, { id: user.id }, new Date());
  const guessed = await orNotFound(planImport(id, undefined, by));
  const columns = columnsIn(await readParams(searchParams), guessed.columns);
  const found = await orRefusal(planImport(id, columns, by));
  return (
    <AdminPage
      title={text('import.check')}
      text={text('import.checkText')}
      up="/admin/people/import"
    >
      <Columns list={guessed} columns={columns} />
      {'key' in found ? (
        <AdminNotice kind="error">{sentenceIn(text.locale, found)}</AdminNotice>
      ) : (
        <>
          <Outcome plan={found.plan} />
          <Invite list={found} mayGroup={may(user.role, 'admin')} />
        </>
      )}
    </AdminPage>
  );
}

/** The columns according to the address, or else as guessed. */
const columnsIn = (query: Readonly<Record<string, string>>, guessed: readonly string[]) =>
  guessed.map((column, at) => query[`c${at}`] ?? column);

/** The number of lines shown as examples of what is in a column. */
const examples = 3;

async function Columns({ list, columns }: { list: Import; columns: readonly string[] }) {
  const text = await pageText();
  const { head, lines } = list.lines;
  const known = (await knownColumns()).map(({ column, label }) => ({
    value: column,
    label: columnLabel(text, column, label),
  }));
  const options = [{ value: noColumn, label: text('import.skip') }, ...known];
  return (
    <Card title={text('import.columns')} text={text('import.columnsText')}>
      <form method="get" className="grid gap-4">
        <Table
          caption={text('import.columns')}
          columns={[
            { key: 'column', label: text('import.column') },
            { key: 'means', label: text('import.means') },
            { key: 'values', label: text('import.values') },
          ]}
          rows={columns.map((column, at) => {
            const name = head[at] || text('import.columnNumber', { number: at + 1 });
            const values = lines.slice(0, examples).map(({ cells }) => cells[at] ?? '');
            return {
              key: String(at),
              cells: {
                column: <UserText key="column" text={name} />,
                means: (
                  <Select
                    key="means"
                    name={`c${at}`}
                    aria-label={name}
                    defaultValue={column}
                    options={options}
                  />
                ),
                values: (
                  <UserText key="values" text={values.filter(Boolean).join(', ').slice(0, 120)} />
                ),
              },
            };
          })}
        />
        <div>
          <Button kind="secondary">{text('import.again')}</Button>
        </div>
      </form>
    </Card>
  );
}

/** The maximum number of wrong lines shown. */
const mostShown = 200;

async function Outcome({ plan }: { plan: Import['plan'] }) {
  const text = await pageText();
  const { invite, here, invited, wrong } = plan;
  const facts = [
    ['invite', invite.length],
    ['here', here.length],
    ['invited', invited.length],
    ['wrong', wrong.length],
  ] as const;
  return (
    <Card id="plan" title={text('import.plan')}>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {facts.map(([fact, count]) => (
          <div key={fact}>
            <dt className="text-sm text-ink-soft">{text(`import.facts.${fact}`)}</dt>
            <dd className="text-xl font-semibold tabular-nums">
              {text('batches.count', { count })}
            </dd>
          </div>
        ))}
      </dl>
      {wrong.length > 0 && (
        <div className="mt-5 grid gap-2">
          <Table
            caption={text('import.facts.wrong')}
            columns={[
              { key: 'line', label: text('import.line') },
              { key: 'text', label: text('import.text') },
              { key: 'why', label: text('import.why') },
            ]}
            rows={wrong.slice(0, mostShown).map(({ at, text: said, why }) => ({
              key: String(at) + said,
              cells: {
                line: text('batches.count', { count: at }),
                text: <UserText text={said} />,
                why: sentenceIn(text.locale, why),
              },
            }))}
          />
          {wrong.length > mostShown && (
            <p className="text-sm text-ink-soft">
              {text('batches.more', { count: wrong.length - mostShown })}
            </p>
          )}
        </div>
      )}
    </Card>
  );
}

async function Invite({ list, mayGroup }: { list: Import; mayGroup: boolean }) {
  const text = await pageText();
  const { invite, wrong } = list.plan;
  const mails = canSendMail();
  if (invite.length === 0) return <AdminNotice kind="warning">{text('import.nobody')}</AdminNotice>;
  return (
    <Card
      id="invite"
      title={text('import.invite')}
      text={text(mails ? 'import.inviteText' : 'links.after')}
    >
      <SaveForm
        need="help-people"
        action={invitePeople}
        save={text('batches.confirm.invite', { count: invite.length })}
      >
        <input type="hidden" name="id" value={list.id} />
        <input type="hidden" name="columns" value={list.columns.join(',')} />
        {mayGroup && <GroupsField choices={await groupChoices()} />}
        <SelectField
          name="language"
          label={text('profile.locale')}
          hint={text('import.languageHint')}
          defaultValue=""
          options={languageOptions(text)}
        />
        {mails && (
          <AreaField
            name="note"
            label={text('import.note')}
            hint={text('import.noteHint')}
            rows={2}
            maxLength={300}
            optional
          />
        )}
        {wrong.length > 0 && (
          <TickField
            name="leave_out_wrong"
            label={text('import.leaveOut', { count: wrong.length })}
          />
        )}
      </SaveForm>
    </Card>
  );
}
