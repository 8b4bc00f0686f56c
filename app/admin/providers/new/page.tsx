import { kinds, providerKinds } from '#lib/identity/upstream/provider-kinds.ts';
import { productName } from '#lib/messages/text.ts';
import { listProviders, type Provider } from '#lib/store/providers.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { addProvider } from '../actions.ts';
import { How } from '../how.tsx';
import { ProviderFields } from '../provider-fields.tsx';

/** First asks for the kind of provider, then for what that kind needs. */
export default async function NewProviderPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage('/admin/providers/new');
  const text = await pageText();
  const { kind: said } = await readParams(searchParams);
  const kind = providerKinds.find((name) => name === said);
  return (
    <AdminPage
      title={
        kind ? text('providers.newOf', { name: kinds[kind].name }) : text('providers.newTitle')
      }
      text={text('providers.newLead')}
      up="/admin/providers"
      width="narrow"
    >
      {kind ? <NewProvider kind={kind} /> : <Kinds />}
    </AdminPage>
  );
}

async function Kinds() {
  const text = await pageText();
  return (
    <Card title={text('providers.kind')}>
      <ul className="grid gap-3 sm:grid-cols-2">
        {providerKinds.map((kind) => (
          <li key={kind}>
            <QuickLink className="gh-link font-semibold" href={`/admin/providers/new?kind=${kind}`}>
              {kinds[kind].name}
            </QuickLink>
            <p className="text-sm text-ink-soft">{text(`providers.kinds.${kind}`)}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

async function NewProvider({ kind }: Pick<Provider, 'kind'>) {
  const text = await pageText();
  const slug = await freeSlug(kind);
  return (
    <>
      <How kind={kind} slug={slug} />
      <Card title={text('providers.here', { product: productName() })}>
        <SaveForm
          action={addProvider}
          className="grid gap-5"
          fields={{ kind, slug }}
          save={text('providers.create')}
        >
          <ProviderFields kind={kind} />
        </SaveForm>
      </Card>
    </>
  );
}

/** The first slug of this kind that no other provider has in its redirect URI. */
async function freeSlug(kind: Provider['kind']): Promise<string> {
  const taken = new Set((await listProviders()).map(({ slug }) => slug));
  for (let count = 1; ; count += 1) {
    const slug = count === 1 ? kind : `${kind}-${count}`;
    if (!taken.has(slug)) return slug;
  }
}
