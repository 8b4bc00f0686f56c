import { redirect } from 'next/navigation';
import { readSecurityScreen } from '#lib/endpoints/factor-screens.ts';
import { pageRequest } from '#lib/http/next.ts';
import { signInAt } from '#lib/identity/back.ts';
import { recoveryCodeCount } from '#lib/identity/recovery-codes.ts';
import { sayKey, textIn } from '#lib/messages/text.ts';
import { requireUser } from '../../guards.ts';
import { AccountFrame } from '../../ui/account-frame.tsx';
import { SecurityView } from '../../ui/views/security.tsx';

/** Second factors, passkeys and recovery codes. */
export default async function SecurityPage() {
  await requireUser();
  const screen = await readSecurityScreen(await pageRequest(), new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { notice, passkeys, factors, appSince } = screen;
  return (
    <AccountFrame
      at="/account/security"
      lead={textIn()('security.lead')}
      isAdmin={screen.session.user.isAdmin}
      done={sayKey(notice?.done)}
      error={sayKey(notice?.error)}
    >
      <SecurityView
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
