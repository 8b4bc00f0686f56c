import { arrangePage } from '#app/account/arrange/submit.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { listYourApps } from '#lib/management/your-apps.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { ArrangeView } from './view.tsx';

export default async function ArrangePage() {
  const { user } = await requireUser();
  const locale = await pageLocale();
  const request = await pageRequest();
  const notice = await readFlash(request, arrangePage);
  const { rows } = await listYourApps(user);
  return (
    <AccountFrame
      locale={locale}
      at={arrangePage}
      lead={textIn(locale)('arrange.lead')}
      role={user.role}
      done={sayIn(locale)(notice?.done)}
    >
      <ArrangeView
        locale={locale}
        csrf={csrfOfRequest(request)}
        apps={rows}
        own={rows.some(({ placed }) => placed)}
      />
    </AccountFrame>
  );
}
