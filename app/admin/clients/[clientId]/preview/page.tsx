import { decoded } from '#lib/http/decoded.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { guardPage } from '../../../../guards.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../../params.ts';
import { AppPage } from '../app-page.tsx';
import { readPreview } from './screen.ts';
import { PreviewView } from './view.tsx';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** The data that an app would get about a person. */
export default async function PreviewPage({ params, searchParams }: Props) {
  await guardPage('/admin/clients/[clientId]/preview');
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const query = await readParams(searchParams);
  return (
    <AppPage client={client} tab="connect">
      <PreviewView
        client={client}
        query={query}
        preview={await readPreview(client, query, new Date())}
      />
    </AppPage>
  );
}
