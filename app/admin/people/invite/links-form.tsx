'use client';

import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { type LinksMade, makeLinks } from './actions.ts';

/** Makes links of invitations; they are shown once, as CSV. */
export function LinksForm({ children }: { children: ReactNode }) {
  return (
    <ActionForm<LinksMade>
      need="help-people"
      action={makeLinks}
      done={(made) => <Made {...made} />}
    >
      {children}
    </ActionForm>
  );
}

function Made({ csv, title, text, label, download }: LinksMade) {
  return (
    <div data-focus tabIndex={-1} className="grid gap-4 outline-none">
      <AdminNotice kind="success" title={title}>
        {text}
      </AdminNotice>
      <textarea
        readOnly
        rows={6}
        id="made-links"
        aria-label={label}
        defaultValue={csv}
        className="font-mono text-sm"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="button" size="small" data-save="invitations.csv" data-of="made-links" hidden>
          {download}
        </Button>
        <CopyButton text={csv} />
      </div>
    </div>
  );
}
