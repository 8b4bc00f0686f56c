import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { continueAddress, stepAddress } from '#lib/interaction/return-to.ts';
import { findDeletion } from '#lib/store/account-deletion.ts';
import { currentSession } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { type WayParams, wayIn } from '../way.ts';
import { LeavingView } from './view.tsx';

type Props = { searchParams: WayParams };

/** Shown after signing in to an account that is due to be deleted: keep it, or continue. */
export default async function LeavingPage({ searchParams }: Props) {
  const way = await wayIn(searchParams);
  const session = await currentSession();
  if (!session) redirect(stepAddress('/login', way));
  const due = await findDeletion(session.user.id);
  if (!due) redirect(continueAddress(way));
  return (
    <LeavingView
      locale={await pageLocale()}
      host={issuerHost()}
      csrf={csrfOfRequest(await pageRequest())}
      flow={way.sealed}
      back={way.back}
      username={session.user.username}
      due={due}
    />
  );
}
