import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { Judged, PlainHttp } from '../clients/judged.tsx';
import { AdminPage } from '../ui/admin-page.tsx';

/**
 * What a form says about addresses while they are typed, each part under the ID it has in the form
 * (`public/live.js`).
 */
export default async function JudgePage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage('/admin/judge');
  const text = await pageText();
  const { known = [], ...asked } = await searchParams;
  const typed = await readParams(Promise.resolve(asked));
  const fields = Object.fromEntries(
    Object.entries(typed).filter(([name]) => /^[\w-]{1,60}$/.test(name)),
  );
  return (
    <AdminPage title={text('clients.addresses')}>
      {Object.entries(fields).map(([name, value]) => (
        <Judged key={name} name={name} typed={value} />
      ))}
      <PlainHttp fields={fields} known={[known].flat()} />
    </AdminPage>
  );
}
