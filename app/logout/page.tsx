import { redirect } from 'next/navigation';
import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { readSession } from '#lib/identity/session.ts';
import { SignOutView } from '../ui/views/sign-out.tsx';

export default async function LogoutPage() {
  const request = await pageRequest();
  const { session } = await readSession(request, new Date());
  if (!session) redirect('/logout/done');
  const account = { ...session.user, name: session.user.name ?? undefined, picture: undefined };
  return <SignOutView host={issuerHost()} csrf={csrfOfRequest(request)} account={account} cancelHref="/account" />;
}
