import type { Match } from '#lib/management/candidates.ts';
import type { Matrix } from '#lib/management/grant/matrix.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { type GroupChoices, groupFilter } from '../../groups/filter.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { hrefOf } from '../../ui/href.ts';
import { namedIn, WhichOne } from '../../ui/match.tsx';
import { choiceOf, Filters } from '../../ui/table/filters.tsx';
import { filtersIn } from '../../ui/table/order.ts';
import { Pages } from '../../ui/table/pages.tsx';
import { AppPages } from './app-pages.tsx';
import { MatrixTable } from './table.tsx';

const path = '/admin/approvals/matrix';

type Props = {
  text: Text;
  query: Readonly<Record<string, string>>;
  client: Match | null;
  /** Null if it is unclear which app is meant. */
  matrix: Matrix | null;
  groups: GroupChoices;
};

export function MatrixView({ text, query, client, matrix, groups }: Props) {
  const { apps: _, ...filters } = filtersIn(query);
  const only = client && 'one' in client ? client.one.label : null;
  const filled = matrix !== null && matrix.people.rows.length > 0 && matrix.apps.rows.length > 0;
  return (
    <AdminPage
      title={only ? text('matrix.titleOf', { name: only }) : text('matrix.title')}
      text={only ? text('matrix.leadOf') : text('matrix.lead')}
      up="/admin/approvals"
    >
      <WhichOne path={path} query={query} name="client" meant={client} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Filters
          path={path}
          query={query}
          label={text('people.search')}
          search={{
            name: 'q',
            label: text('people.search'),
            value: query.q ?? '',
            placeholder: text('people.searchHint'),
          }}
          filters={[
            {
              name: 'client',
              label: text('matrix.app'),
              placeholder: text('approvals.clientHint'),
              ...namedIn(query, 'client', { client }),
            },
            choiceOf(query, 'which', text('matrix.which'), [
              ['', text('matrix.listedOnly')],
              ['all', text('matrix.all')],
            ]),
            ...groupFilter(text, query, groups),
          ]}
        />
        <div className="ms-auto flex flex-wrap gap-2">
          <ButtonLink kind="secondary" size="small" href={hrefOf(`${path}/export`, filters)}>
            {text('table.export')}
          </ButtonLink>
        </div>
      </div>
      {filled ? (
        <div data-zoned className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <AppPages text={text} path={path} query={query} apps={matrix.apps} />
          <MatrixTable text={text} matrix={matrix}>
            <Pages
              path={path}
              query={query}
              says={text('people.total', ofTotal(matrix.people.total))}
              shown={matrix.people.rows.length}
              page={matrix.people.page}
              total={matrix.people.total}
            />
          </MatrixTable>
        </div>
      ) : (
        matrix && (
          <EmptyState
            icon="person"
            title={matrix.apps.rows.length > 0 ? text('matrix.nobody') : text('matrix.noApps')}
            text={
              matrix.apps.rows.length > 0 ? text('matrix.nobodyText') : text('matrix.noAppsText')
            }
            action={
              matrix.apps.rows.length === 0 &&
              query.which !== 'all' && (
                <ButtonLink kind="secondary" href={hrefOf(path, { ...query, which: 'all' })}>
                  {text('matrix.showAll')}
                </ButtonLink>
              )
            }
          />
        )
      )}
    </AdminPage>
  );
}
