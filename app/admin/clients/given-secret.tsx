'use client';

import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { CopyButton } from '../ui/copy-button.tsx';

/** What an app is told to get tokens with. The secret is here and nowhere else. */
export type Credentials = { clientId: string; secret: string | null; issuer: string };

/** Shows new credentials, once, in the forms an operator needs them in. */
export function GivenSecret({ clientId, secret, issuer }: Credentials) {
  const lines = [
    `OAUTH_ISSUER=${issuer}`,
    `OAUTH_CLIENT_ID=${clientId}`,
    ...(secret === null ? [] : [`OAUTH_CLIENT_SECRET=${secret}`]),
  ].join('\n');
  return (
    <div className="grid gap-4">
      <AdminNotice kind={secret === null ? 'info' : 'warning'}>
        {secret === null ? words.noSecret : words.keepSecret}
      </AdminNotice>
      <dl className="grid gap-4">
        <Value label={words.clientId} value={clientId} />
        {secret !== null && <Value label={words.clientSecret} value={secret} />}
      </dl>
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 className="text-sm font-semibold">{words.envLines}</h3>
          <CopyButton text={lines} label={words.copyEnv} />
        </div>
        <pre className="rounded-xl border border-line bg-sunken px-4 py-3 font-mono text-xs break-all whitespace-pre-wrap select-all">
          {lines}
        </pre>
      </div>
    </div>
  );
}

function Value({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <code className="min-w-0 text-sm font-semibold break-all select-all">{value}</code>
        <CopyButton text={value} />
      </dd>
    </div>
  );
}
