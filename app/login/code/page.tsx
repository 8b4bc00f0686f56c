import { redirect } from 'next/navigation';
import { codeWanted } from '#app/login/code/submit.ts';
import { readLoginScreen } from '#app/login/screen.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { heldCode, mayUseCodes } from '#lib/identity/mail-code.ts';
import { newWork } from '#lib/identity/proof-of-work.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { flashKey, safeReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import { sayIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { queryValue } from '../../params.ts';
import { facing } from '../../ui/facing.ts';
import { toldBy } from '../../wait.ts';
import { CodeView } from './view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[]; back?: string | string[] }> };

/** Where the mailed code is typed. The page is the same whichever name was given. */
export default async function CodePage({ searchParams }: Props) {
  const { flow, back } = await searchParams;
  const request = await pageRequest();
  const now = new Date();
  const screen = await readLoginScreen(request, queryValue(flow), now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const way = { sealed: screen.sealed, back: safeReturnTo(queryValue(back)) };
  const held = await heldCode(request, codeWanted(screen), now);
  if (!held || !(await mayUseCodes())) redirect(stepAddress('/login', way));
  const locale = await pageLocale();
  const say = sayIn(locale);
  const notice = await readFlash(request, flashKey('code', screen.flowId));
  const told = toldBy(locale, notice);
  return (
    <CodeView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={way.sealed}
      back={way.back}
      app={screen.app && screen.checked ? facing(screen.app, screen.checked, locale) : undefined}
      to={held.to}
      work={await newWork(request, 'sign-in', notice?.values?.work, now)}
      passwordHref={stepAddress('/login', way)}
      done={say(notice?.done)}
      error={say(notice?.error, told)}
      fieldErrors={{ code: say(notice?.fieldErrors?.code, told) }}
    />
  );
}
