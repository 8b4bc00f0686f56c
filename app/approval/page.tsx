import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { continueAt } from '#lib/interaction/resume.ts';
import { sayIn } from '#lib/messages/text.ts';
import { pageLocale } from '../locale.ts';
import { readApprovalScreen } from './screen.ts';
import { ApprovalView } from './view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

export default async function ApprovalPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const say = sayIn(locale);
  const { flow } = await searchParams;
  const screen = await readApprovalScreen(await pageRequest(), String(flow ?? ''), new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { mayGoBack, asked } = screen;
  const { sealed } = asked;
  return (
    <ApprovalView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={sealed}
      seen={screen.seen}
      app={screen.app}
      approval={asked.approval}
      tells={screen.tells}
      error={say(screen.notice?.error)}
      againHref={continueAt(sealed)}
      backHref={mayGoBack ? `/oauth/cancel?flow=${sealed}` : undefined}
    />
  );
}
