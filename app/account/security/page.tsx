import { redirect } from 'next/navigation';
import { pageRequest } from '#lib/http/next.ts';
import { signalOf, worksHere } from '#lib/identity/passkeys.ts';
import { recoveryCodeCount } from '#lib/identity/recovery-codes.ts';
import type { Wanted } from '#lib/interaction/ways-to-confirm.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { askingOn, unseenFault } from '../../asking.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { PasskeySignal } from '../../ui/passkey-signal.tsx';
import { AccountFrame } from '../ui/frame.tsx';
import { readSecurityScreen } from './screen.ts';
import { SecurityView } from './view.tsx';

export default async function SecurityPage() {
  await requireUser();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const request = await pageRequest();
  const now = new Date();
  const screen = await readSecurityScreen(request, now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { notice, passkeys, factors, appSince } = screen;
  const asking = (wanted: Wanted) =>
    askingOn({ request, session: screen.session, notice, locale, now }, wanted);
  const askings = {
    asking: await asking('fresh'),
    askingForCodes: await asking('confirmed'),
    askingToRemoveApp: await asking({ kind: 'totp' }),
    askingToRemovePasskey: await asking({ kind: 'passkey' }),
  };
  return (
    <AccountFrame
      locale={locale}
      at="/account/security"
      lead={textIn(locale)('security.lead')}
      role={screen.session.user.role}
      done={say(notice?.done)}
      error={
        say(notice?.error) ?? unseenFault(locale, notice, askings.asking ?? askings.askingForCodes)
      }
      refused={Boolean(notice?.fieldErrors)}
    >
      {screen.passkeysPossible && <PasskeySignal signal={await signalOf(screen.session.user)} />}
      <SecurityView
        locale={locale}
        csrf={screen.csrf}
        appHref="/account/security/totp"
        {...askings}
        demanded={screen.demanded}
        appSince={appSince?.toISOString()}
        passkeys={passkeys.map(({ id, name, rpId, backedUp, createdAt, lastUsedAt }) => ({
          id,
          name,
          elsewhere: worksHere({ rpId }) ? undefined : (rpId ?? undefined),
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
