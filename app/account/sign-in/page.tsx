import { signInPage } from '#app/account/sign-in/submit.ts';
import { markOf } from '#app/login/with/screen.ts';
import { pageRequest } from '#lib/http/next.ts';
import { signalOf } from '#lib/identity/passkeys.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { mayRename } from '#lib/identity/usernames.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { userWithId } from '#lib/management/user/users.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { findDirectoryLink } from '#lib/store/directories.ts';
import { readFactors } from '#lib/store/factors.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { listProviders } from '#lib/store/providers.ts';
import { listSessionsOf } from '#lib/store/sessions.ts';
import { findUser } from '#lib/store/users.ts';
import { askingOn, unseenFault } from '../../asking.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { PasskeySignal } from '../../ui/passkey-signal.tsx';
import { waitIn } from '../../wait.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { ProvidersCard } from './providers-card.tsx';
import { UsernameCard } from './username-card.tsx';
import { PasswordCard, SignInWays } from './view.tsx';

export default async function SignInPage() {
  const session = await requireUser();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const request = await pageRequest();
  const csrf = csrfOfRequest(request);
  const { id } = session.user;
  const notice = await readFlash(request, signInPage);
  const user = await userWithId(id);
  const factors = await readFactors(id);
  const isElsewhere = (await findDirectoryLink(id)) !== null;
  const fault = (field: string) =>
    say(notice?.fieldErrors?.[field], { ...passwordLengths, wait: waitIn(locale, notice) });
  const now = new Date();
  const asking = await askingOn({ request, session, notice, locale, now });
  const provider = { provider: notice?.values?.provider ?? '' };
  const identities = await listIdentities(id);
  const linkable = (await listProviders()).filter(({ enabled }) => enabled);
  const confirming = await askingOn({ request, session, notice, locale, now }, 'confirmed');
  const hasPassword = ((await findUser(id))?.passwordHash ?? null) !== null;
  const canRename = await mayRename(user.username);
  const shown = [...(isElsewhere ? [] : ['new_password']), ...(canRename ? ['username'] : [])];
  return (
    <AccountFrame
      locale={locale}
      at={signInPage}
      lead={textIn(locale)('ways.lead')}
      role={session.user.role}
      done={say(notice?.done, provider)}
      error={
        say(notice?.error, provider) ?? unseenFault(locale, notice, asking ?? confirming, shown)
      }
      refused={Boolean(notice?.fieldErrors)}
    >
      {factors.passkeysHere > 0 && <PasskeySignal signal={await signalOf(session.user)} />}
      <SignInWays
        locale={locale}
        email={user.email}
        emailVerified={user.emailVerified}
        username={user.username}
        passkeys={factors.passkeys}
        hasApp={factors.totp}
        hasPassword={hasPassword}
        devices={(await listSessionsOf(id, now)).length}
        usernameForm={
          canRename
            ? {
                open:
                  user.usernameUnfit ||
                  fault('username') !== undefined ||
                  asking?.form === 'username-form',
                form: (
                  <UsernameCard
                    locale={locale}
                    csrf={csrf}
                    value={notice?.values?.username ?? user.username}
                    error={fault('username')}
                    unfit={user.usernameUnfit}
                    asking={asking}
                  />
                ),
              }
            : null
        }
        passwordForm={
          isElsewhere
            ? null
            : {
                open: fault('new_password') !== undefined || confirming?.form === 'password',
                form: (
                  <PasswordCard
                    locale={locale}
                    csrf={csrf}
                    fieldErrors={{ new_password: fault('new_password') }}
                    endAppTokens={notice?.values?.end_app_tokens === 'on'}
                    asking={confirming}
                    isFirst={!hasPassword}
                    passwordLength={passwordLimits.min}
                  />
                ),
              }
        }
      />
      {identities.length + linkable.length > 0 && (
        <ProvidersCard
          locale={locale}
          csrf={csrf}
          linked={identities.map((each) => ({ ...each, mark: markOf(each.provider) }))}
          linkable={linkable.map((each) => ({ ...each, mark: markOf(each) }))}
          asking={asking}
        />
      )}
    </AccountFrame>
  );
}
