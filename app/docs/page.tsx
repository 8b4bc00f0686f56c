import { Fragment } from 'react';
import { config } from '#lib/config.ts';
import { stumbles, docsWords as words } from '#lib/messages/docs.ts';
import { errorTable } from '#lib/oauth/errors.ts';
import { Card } from '../ui/card.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Shell } from '../ui/shell.tsx';
import { CopyAddress } from './copy-address.tsx';

const addresses = [
  ['issuer', ''],
  ['discovery', '/.well-known/openid-configuration'],
  ['metadata', '/.well-known/oauth-authorization-server'],
  ['authorize', '/oauth/authorize'],
  ['token', '/oauth/token'],
  ['device', '/oauth/device_authorization'],
  ['me', '/oauth/me'],
  ['keys', '/oauth/jwks'],
  ['introspect', '/oauth/introspect'],
  ['revoke', '/oauth/revoke'],
  ['register', '/oauth/register'],
  ['logout', '/oauth/logout'],
] as const;

/** Documentation for client developers: addresses and errors. */
export default function DocsPage() {
  const { issuer } = config();
  return (
    <Shell title={words.title} locale="en">
      <PageHeader title={words.title} text={words.lead} />
      <div className="grid gap-6">
        <Card title={words.addresses} text={words.addressesText}>
          <dl className="grid gap-3">
            {addresses.map(([label, path]) => (
              <div key={path}>
                <dt className="text-sm text-ink-soft">{words[label]}</dt>
                <dd className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 font-medium">
                  <span className="min-w-0 wrap-anywhere select-all">
                    {issuer}
                    <wbr />
                    {path}
                  </span>
                  <CopyAddress text={issuer + path} what={words.copy(words[label])} />
                </dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title={words.guides}>
          <a className="gh-link" href="/docs/mcp">
            {words.mcp}
          </a>
          <span className="block text-sm text-ink-soft">{words.mcpText}</span>
        </Card>
        <Card title={words.stumbles}>
          <dl className="grid gap-5">
            {stumbles.map(({ id, title, text }) => (
              <div key={id} id={id}>
                <dt className="font-semibold">{title}</dt>
                <dd className="mt-1 text-sm text-ink-soft wrap-anywhere">{text}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title={words.errors}>
          <ul className="grid gap-2">
            {Object.entries(errorTable).map(([code, { sentence }]) => (
              <li key={code}>
                <a className="gh-link" href={`/docs/errors/${code}`}>
                  {/* Broken between words where it has to be. */}
                  {code.split(/(?<=_)/).map((part) => (
                    <Fragment key={part}>
                      {part}
                      <wbr />
                    </Fragment>
                  ))}
                </a>
                <span className="block text-sm text-ink-soft">{sentence}</span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </Shell>
  );
}
