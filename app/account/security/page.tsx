import { redirect } from 'next/navigation';
import { pageRequest } from '#lib/http/next.ts';
import { recoveryCodeCount } from '#lib/identity/recovery-codes.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { readSecurityScreen } from './screen.ts';
import { SecurityView } from './view.tsx';

/** Second factors, passkeys and recovery codes. */
export default async function SecurityPage() {
  await requireUser();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const screen = await readSecurityScreen(await pageRequest(), new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { notice, passkeys, factors, appSince } = screen;
  return (
    <AccountFrame
      locale={locale}
      at="/account/security"
      lead={textIn(locale)('security.lead')}
      isAdmin={screen.session.user.isAdmin}
      done={say(notice?.done)}
      error={say(notice?.error)}
    >
      <SecurityView
        locale={locale}
        csrf={screen.csrf}
        signInAgainHref={signInAt('/account/security')}
        appHref="/account/security/totp"
        fresh={screen.fresh}
        demanded={screen.demanded}
        appSince={appSince?.toISOString()}
        passkeys={passkeys.map(({ id, name, backedUp, createdAt, lastUsedAt }) => ({
          id,
          name,
          synced: backedUp,
          addedAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString(),
        }))}
        passkeysPossible={screen.passkeysPossible}
        codesLeft={factors.recoveryCodes}
        codesTotal={recoveryCodeCount}
      />
    </AccountFrame>
  );
}
