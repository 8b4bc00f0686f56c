import { redirect } from 'next/navigation';
import { mayLink } from '#app/login/link/submit.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { readArrival } from '#lib/identity/upstream/arrival.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { continueAddress, stepAddress } from '#lib/interaction/return-to.ts';
import { findProvider } from '#lib/store/providers.ts';
import { askingOn } from '../../asking.ts';
import { currentSession } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { type WayParams, wayIn } from '../way.ts';
import { LinkView } from './view.tsx';

type Props = { searchParams: WayParams };

/** Asks whether to link the account at the provider to the signed-in account. */
export default async function LinkPage({ searchParams }: Props) {
  const way = await wayIn(searchParams);
  const request = await pageRequest();
  const now = new Date();
  const session = await currentSession();
  if (!session) redirect(stepAddress('/login', way));
  const arrival = await readArrival(request, now);
  const provider = arrival && (await findProvider(arrival.providerId));
  if (!mayLink(arrival, session) || !provider?.enabled) redirect(continueAddress(way));
  const locale = await pageLocale();
  const notice = await readFlash(request, stepAddress('/login/link', { ...way, back: undefined }));
  return (
    <LinkView
      locale={locale}
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      flow={way.sealed}
      back={way.back}
      provider={provider.name}
      label={arrival.label ?? arrival.subject}
      username={session.user.username}
      isInAccount={arrival.kind === 'link'}
      asking={await askingOn({ request, session, notice, locale, now })}
    />
  );
}
