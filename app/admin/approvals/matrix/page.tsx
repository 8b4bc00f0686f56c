import { readMatrix } from '#lib/management/grant/matrix.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { groupChoices } from '../../groups/filter.ts';
import { pageIn } from '../../ui/table/order.ts';
import { readAskedOf } from './filter.ts';
import { MatrixView } from './view.tsx';

/** People and apps: who may use what, and who has. */
export default async function MatrixPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage('/admin/approvals/matrix');
  const text = await pageText();
  const query = await readParams(searchParams);
  const { people, client, apps } = await readAskedOf(query);
  const wanted = { people: pageIn(query), apps: pageIn({ page: query.apps ?? '' }) };
  const matrix = apps && (await readMatrix(people, apps, wanted));
  const groups = await groupChoices();
  return <MatrixView text={text} query={query} client={client} matrix={matrix} groups={groups} />;
}
