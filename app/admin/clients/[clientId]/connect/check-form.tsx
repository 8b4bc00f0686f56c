'use client';

import { useText } from '../../../../ui/browser-text.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { checkSites } from './actions.ts';
import type { CheckedSite } from './checked-site.ts';

/** Checks the guarded sites of an app, and shows the result in place of the button. */
export function CheckForm({ clientId }: { clientId: string }) {
  const text = useText();
  return (
    <ActionForm
      action={checkSites}
      label={text('guard.check')}
      done={(sites) => sites.map((each) => <SiteFindings key={each.site} {...each} />)}
    >
      <Hidden fields={{ client: clientId }} />
      <div>
        <Submit>{text('guard.check')}</Submit>
      </div>
    </ActionForm>
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
        {findings.map(({ what, fine, received, expected }) => (
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
          </div>
        ))}
      </dl>
    </div>
  );
}
