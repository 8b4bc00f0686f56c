import { redirect } from 'next/navigation';
import { readWaiting } from '#app/login/waiting.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { readArrival } from '#lib/identity/upstream/arrival.ts';
import { stepAddress } from '#lib/interaction/return-to.ts';
import { termsForNewcomers } from '#lib/interaction/terms.ts';
import { sayIn } from '#lib/messages/text.ts';
import { findProvider } from '#lib/store/providers.ts';
import { pageLocale } from '../../locale.ts';
import { queryValue } from '../../params.ts';
import { NewAccountView } from './view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[]; back?: string | string[] }> };

/** Asks a user from a provider for the username and name of the account they are about to get. */
export default async function NewAccountPage({ searchParams }: Props) {
  const { flow, back } = await searchParams;
  const request = await pageRequest();
  const now = new Date();
  const screen = await readWaiting(request, '/login/new', queryValue(flow), now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const way = { sealed: screen.sealed, back: undefined };
  const arrival = await readArrival(request, now);
  const provider = arrival && (await findProvider(arrival.providerId));
  if (arrival?.kind !== 'new' || !arrival.email || !provider) redirect(stepAddress('/login', way));
  const locale = await pageLocale();
  const say = sayIn(locale);
  const { notice } = screen;
  return (
    <NewAccountView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={screen.sealed}
      back={queryValue(back)}
      provider={provider.name}
      email={arrival.email}
      terms={await termsForNewcomers(now)}
      values={notice?.values ?? { username: arrival.username, name: arrival.name }}
      fieldErrors={{
        username: say(notice?.fieldErrors?.username),
        name: say(notice?.fieldErrors?.name),
        terms: say(notice?.fieldErrors?.terms),
      }}
      cancelHref={stepAddress('/login', way)}
    />
  );
}
