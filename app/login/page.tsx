import { redirect } from 'next/navigation';
import { readLoginScreen } from '#lib/endpoints/screens.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { sayKey, textIn } from '#lib/messages/text.ts';
import { SignInView } from '../ui/views/sign-in.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

export default async function LoginPage({ searchParams }: Props) {
  const { flow } = await searchParams;
  const screen = await readLoginScreen(await pageRequest(), flow === undefined ? undefined : String(flow), new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  if (screen.session && !screen.sealed) redirect('/account');
  const { checked, notice, sealed } = screen;
  const text = textIn();
  return (
    <SignInView
      host={issuerHost()}
      csrf={screen.csrf}
      flow={sealed}
      app={checked ? { name: checked.client.name } : undefined}
      cancelHref={sealed ? `/oauth/cancel?flow=${sealed}` : undefined}
      username={notice?.values?.username ?? checked?.request.loginHint}
      error={sayKey(notice?.error)}
      fieldErrors={{ username: sayKey(notice?.fieldErrors?.username), password: sayKey(notice?.fieldErrors?.password) }}
      notice={screen.again ? text('signIn.again') : undefined}
    />
  );
}
