import { notFound } from 'next/navigation';
import { config } from '#lib/config.ts';
import { fillPage, namesApp } from '#lib/docs/fill.ts';
import { findPage } from '#lib/docs/shelf.ts';
import { docsWords as words } from '#lib/messages/docs.ts';
import { queryValue, type SearchParams } from '../../params.ts';
import { DocsFrame } from '../frame.tsx';
import { PageText } from '../page-text.tsx';
import { chosenApp, YourApp } from '../your-app.tsx';

type Props = {
  params: Promise<{ page: string[] }>;
  searchParams: SearchParams;
};

/** A page of docs/. Samples are filled with this server's address and the values of an app. */
export default async function Page({ params, searchParams }: Props) {
  const path = (await params).page.join('/');
  const page = await findPage(path);
  if (!page) notFound();
  const hasSamples = page.namesServer && namesApp(page.html);
  const app = hasSamples ? await chosenApp(queryValue((await searchParams).app)) : null;
  const html = page.namesServer ? fillPage(page.html, config().issuer, app) : page.html;
  return (
    <DocsFrame title={page.title} current={`/docs/${path}`}>
      {hasSamples && <YourApp page={`/docs/${path}`} app={app} />}
      <PageText html={html} sections={page.sections} />
      {page.next && (
        <p className="mt-10 border-t border-line pt-5">
          {words.next}{' '}
          <a className="gh-link" href={page.next.href}>
            {page.next.title}
          </a>
        </p>
      )}
    </DocsFrame>
  );
}
