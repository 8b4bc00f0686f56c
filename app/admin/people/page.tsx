import { directories } from '#lib/identity/directory/configured.ts';
import { listFields } from '#lib/management/field/user-fields.ts';
import { listPeople } from '#lib/management/user/people-list.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { may } from '#lib/people/roles.ts';
import { userSorts } from '#lib/store/user-list.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { groupChoices } from '../groups/filter.ts';
import { hrefOf } from '../ui/href.ts';
import { QuickButton } from '../ui/quick-link.tsx';
import { List } from '../ui/table/list.tsx';
import { filtersIn, pageIn, sortIn } from '../ui/table/order.ts';
import { peopleActs } from './bulk-acts.ts';
import { columnsOf, rowOf } from './columns.tsx';
import { peopleFilter } from './filter.ts';
import { filtersOf } from './filters.ts';

const path = '/admin/people';
const usual = { by: 'created', direction: 'descending' } as const;

export default async function PeoplePage({ searchParams }: { searchParams: SearchParams }) {
  const { user } = await guardPage(path);
  const text = await pageText();
  const query = await readParams(searchParams);
  const now = new Date();
  const sort = sortIn(query, userSorts, usual);
  const wanted = { page: pageIn(query), sort };
  const { rows, ...list } = await listPeople(await peopleFilter(query, now), now, wanted);
  const [field] = await listFields();
  const seesAll = may(user.role, 'see-everything');
  return (
    <List
      title={text('people.title')}
      text={text('people.lead')}
      actions={<Actions exports={seesAll ? hrefOf(`${path}/export`, exportOf(query)) : null} />}
      path={path}
      query={query}
      search={text('people.search')}
      hint={
        field ? text('people.searchHintField', { name: field.name }) : text('people.searchHint')
      }
      filters={filtersOf(text, query, seesAll ? await groupChoices() : [])}
      suggested={[
        {
          label: text('people.quiet.suggested'),
          href: hrefOf(path, { ...query, page: '', quiet: 'days90', state: 'enabled' }),
        },
      ]}
      caption={text('people.list')}
      columns={columnsOf(text)}
      sort={sort}
      list={list}
      rows={rows.map((person) => rowOf(text, person))}
      empty={
        <EmptyState
          icon="person"
          title={text('people.nothingFound')}
          text={
            field
              ? text('people.nothingFoundField', { name: field.name })
              : text('people.nothingFoundText')
          }
        />
      }
      says={text('people.total', ofTotal(list.total))}
      acts={peopleActs(text, user.role)}
    />
  );
}

const exportOf = (query: Record<string, string>) => ({ ...filtersIn(query), all: 'on' });

async function Actions({ exports }: { exports: string | null }) {
  const text = await pageText();
  return (
    <>
      {exports && (
        <ButtonLink kind="secondary" size="small" href={exports}>
          {text('table.export')}
        </ButtonLink>
      )}
      <QuickButton kind="secondary" size="small" href="/admin/fields">
        {text('people.fields')}
      </QuickButton>
      <QuickButton kind="secondary" size="small" href="/admin/terms">
        {text('termsOfUse.title')}
      </QuickButton>
      {directories().length > 0 && (
        <QuickButton kind="secondary" size="small" href="/admin/directories">
          {text('directories.title')}
        </QuickButton>
      )}
      {exports && (
        <QuickButton kind="secondary" size="small" href="/admin/deleted">
          {text('deleted.title')}
        </QuickButton>
      )}
      <QuickButton kind="secondary" size="small" href="/admin/people/batches">
        {text('batches.title')}
      </QuickButton>
      <QuickButton kind="secondary" size="small" href="/admin/people/import">
        {text('import.title')}
      </QuickButton>
      <QuickButton kind="secondary" size="small" href="/admin/people/invite">
        {text('people.invite')}
      </QuickButton>
      <QuickButton size="small" href="/admin/people/new">
        {text('people.add')}
      </QuickButton>
    </>
  );
}
