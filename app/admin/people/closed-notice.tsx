import { readSettings } from '#lib/store/settings.ts';
import { pageText } from '../../locale.ts';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { QuickLink } from '../ui/quick-link.tsx';

/** Says that no one can be invited either while registration is switched off. */
export async function ClosedNotice() {
  if ((await readSettings()).registration !== 'off') return null;
  const text = await pageText();
  return (
    <AdminNotice kind="warning" title={text('invite.closed')}>
      <QuickLink className="gh-link" href="/admin/settings/sign-in#registration">
        {text('invite.openSettings')}
      </QuickLink>
    </AdminNotice>
  );
}
