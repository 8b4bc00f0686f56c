import { appPasswordsPage } from '#app/account/app-passwords/submit.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readShownPassword } from '#lib/identity/shown-app-password.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { listAppPasswords } from '#lib/management/app-password/app-passwords.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { appsTakingPasswords, mostAppPasswords } from '#lib/store/app-passwords.ts';
import { readSettings } from '#lib/store/settings.ts';
import { askingOn, unseenFault } from '../../asking.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { AppPasswordList, MakeCard, NewCard } from './view.tsx';

export default async function AppPasswordsPage() {
  const session = await requireUser();
  const request = await pageRequest();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const csrf = csrfOfRequest(request);
  const now = new Date();
  const { id: userId, username } = session.user;
  const notice = await readFlash(request, appPasswordsPage);
  const asking = await askingOn({ request, session, notice, locale, now });
  const fresh = await readShownPassword(userId, request, now);
  const { rows } = await listAppPasswords({ userId, limit: mostAppPasswords });
  const areOff = (await readSettings()).appPasswords === 'off';
  const apps = areOff ? [] : await appsTakingPasswords(userId);
  return (
    <AccountFrame
      locale={locale}
      at={appPasswordsPage}
      lead={textIn(locale)('appPasswords.lead')}
      role={session.user.role}
      done={say(notice?.done)}
      error={say(notice?.error) ?? unseenFault(locale, notice, asking, ['name', 'networks'])}
      refused={Boolean(notice?.fieldErrors)}
    >
      {fresh && <NewCard locale={locale} csrf={csrf} username={username} {...fresh} />}
      {rows.length > 0 && (
        <AppPasswordList locale={locale} csrf={csrf} passwords={rows} now={now} />
      )}
      <MakeCard
        locale={locale}
        csrf={csrf}
        apps={apps}
        asking={asking}
        typed={notice?.values ?? {}}
        fieldErrors={{
          name: say(notice?.fieldErrors?.name),
          networks: say(notice?.fieldErrors?.networks),
        }}
      />
    </AccountFrame>
  );
}
