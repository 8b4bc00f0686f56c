import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { appPageOf } from '#lib/interaction/app-page.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { termsOnWay } from '#lib/interaction/terms.ts';
import { readBranding } from '#lib/store/branding.ts';
import { pageLocale } from '../../locale.ts';
import { type WayParams, wayIn } from '../way.ts';
import { TermsView } from './view.tsx';

type Props = { searchParams: WayParams };

/** Asks somebody who has signed in to agree to terms of use. */
export default async function TermsPage({ searchParams }: Props) {
  const way = await wayIn(searchParams);
  const request = await pageRequest();
  const asked = await termsOnWay(way, request, new Date());
  if ('elsewhere' in asked) redirect(asked.elsewhere);
  await readBranding();
  return (
    <TermsView
      locale={await pageLocale()}
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      flow={way.sealed}
      back={way.back}
      terms={asked.terms}
      until={asked.must ? null : asked.terms.requiredFrom}
      app={asked.app ? await appPageOf(asked.app) : null}
    />
  );
}
