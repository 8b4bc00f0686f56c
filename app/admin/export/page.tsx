import { redirect } from 'next/navigation';
import { isFresh } from '#lib/identity/guards.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { knownOption, type SearchParams } from '../../params.ts';
import { askToConfirm } from '../confirm.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { ExportForm } from './export-form.tsx';
import { exportedLists } from './lists.ts';

/** Where an export leads that needs a fresh sign-in: it asks for the password and goes on. */
export default async function ExportPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await guardPage('/admin/export');
  const text = await pageText();
  const { list: named, ...query } = await searchParams;
  const list = knownOption(exportedLists, [named].flat()[0]) ?? redirect('/admin');
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ''].flat().map((each) => [name, each]),
  );
  const isFilter = ([name = '']: string[]) => !['all', 'id', 'format'].includes(name);
  const asking = isFresh(session, new Date()) ? null : await askToConfirm(session.user, null);
  return (
    <AdminPage
      title={text('export.title')}
      up={{
        href: withQuery(`/admin/${list}`, pairs.filter(isFilter)),
        label: text('export.back'),
      }}
    >
      <ExportForm
        href={withQuery(`/admin/${list}/export`, pairs)}
        asking={asking}
        words={{
          confirm: text('export.confirm'),
          begins: text('export.begins'),
          again: text('export.again'),
        }}
      />
    </AdminPage>
  );
}

const withQuery = (path: string, pairs: string[][]) =>
  pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path;
