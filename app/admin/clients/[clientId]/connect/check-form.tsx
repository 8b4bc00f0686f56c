'use client';

import { useText } from '../../../../ui/browser-text.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { ActionForm, useForm } from '../../../ui/forms/action-form.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { checkSites } from './actions.ts';
import type { CheckedSite } from './checked-site.ts';

/** Checks the guarded sites of an app, and shows the result below the button. */
export function CheckForm({ clientId }: { clientId: string }) {
  const text = useText();
  return (
    <ActionForm action={checkSites} label={text('guard.check')}>
      <Hidden fields={{ client: clientId }} />
      <div>
        <Submit>{text('guard.checkIt')}</Submit>
      </div>
      <Found />
    </ActionForm>
  );
}

function Found() {
  const { state } = useForm<CheckedSite[]>();
  return (
    <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-6 empty:hidden">
      {state.result?.map((each) => (
        <SiteFindings key={each.site} {...each} />
      ))}
    </div>
  );
}

function SiteFindings({ site, findings }: CheckedSite) {
  const text = useText();
  const wrong = findings.filter(({ fine }) => !fine);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <AdminNotice kind={wrong.length > 0 ? 'warning' : 'success'} title={site}>
        {wrong.length > 0 ? text('guard.wrong', { count: wrong.length }) : text('guard.right')}
      </AdminNotice>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
        {findings.map(({ what, fine, received, expected, todo }) => (
          <div key={what}>
            <dt className="font-semibold">
              {fine ? '✓' : '✗'} {what}
            </dt>
            <dd className="wrap-anywhere">
              {text('attempts.received')}: <code>{received}</code>
            </dd>
            {!fine && (
              <dd className="wrap-anywhere">
                {text('attempts.expected')}: <code>{expected}</code>
              </dd>
            )}
            {!fine && <dd>{todo}</dd>}
          </div>
        ))}
      </dl>
    </div>
  );
}
