'use client';

import { useText } from '../../ui/browser-text.tsx';
import { CopyValue } from '../../ui/connect/copy-value.tsx';
import type { Credentials } from '../../ui/connect/guide.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AdminNotice } from '../ui/admin-notice.tsx';

/** Shows new credentials once, in the formats an operator needs. */
export function GivenSecret(given: Credentials) {
  const text = useText();
  const { clientId, secret } = given;
  return (
    <div className="grid gap-4">
      <AdminNotice kind={secret === null ? 'info' : 'warning'}>
        {secret === null ? text('clients.noSecret') : text('clients.keepSecret')}
      </AdminNotice>
      <dl className="grid gap-4">
        <CopyValue label={text('clients.clientId')} value={clientId} />
        {secret !== null && <CopyValue label={text('clients.clientSecret')} value={secret} keeps />}
      </dl>
      <EnvLines {...given} />
    </div>
  );
}

/** The credentials as lines of a .env file. */
export function EnvLines({ clientId, secret, issuer }: Credentials) {
  const text = useText();
  const lines = [
    `OAUTH_ISSUER=${issuer}`,
    `OAUTH_CLIENT_ID=${clientId}`,
    ...(secret === null ? [] : [`OAUTH_CLIENT_SECRET=${secret}`]),
  ].join('\n');
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">{text('clients.envLines')}</h3>
        <CopyButton text={lines} label={text('clients.copyEnv')} keeps />
      </div>
      <pre className="rounded-xl border border-line bg-sunken px-4 py-3 font-mono text-xs break-all whitespace-pre-wrap select-all">
        {lines}
      </pre>
    </div>
  );
}
