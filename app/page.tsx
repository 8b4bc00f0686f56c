import { config } from '#lib/config.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { readSession } from '#lib/identity/session.ts';
import { hasPeople } from '#lib/store/users.ts';
import { LandingView } from './landing.tsx';
import { pageLocale } from './locale.ts';

export default async function LandingPage() {
  const locale = await pageLocale();
  const { session } = await readSession(await pageRequest(), new Date());
  return (
    <LandingView
      locale={locale}
      host={issuerHost()}
      signInHref="/login"
      accountHref={session ? '/account' : undefined}
      needsSetup={!(await hasPeople())}
      metadataHref={`${config().issuer}/.well-known/oauth-authorization-server`}
    />
  );
}
