import { Fragment } from 'react';
import { config } from '#lib/config.ts';
import type { Contents } from '#lib/docs/contents.ts';
import { stumbles, docsWords as words } from '#lib/messages/docs.ts';
import { errorTable } from '#lib/oauth/errors.ts';
import { Card } from '../ui/card.tsx';
import { CopyAddress } from './copy-address.tsx';

const addresses = [
  ['issuer', ''],
  ['discovery', '/.well-known/openid-configuration'],
  ['metadata', '/.well-known/oauth-authorization-server'],
  ['authorize', '/oauth/authorize'],
  ['pushed', '/oauth/par'],
  ['token', '/oauth/token'],
  ['device', '/oauth/device_authorization'],
  ['me', '/oauth/me'],
  ['keys', '/oauth/jwks'],
  ['introspect', '/oauth/introspect'],
  ['revoke', '/oauth/revoke'],
  ['register', '/oauth/register'],
  ['logout', '/oauth/logout'],
] as const;

/**
 * The pages most needed, the others, and what app developers look up: addresses, problems, errors.
 */
export function HomeView({ groups: [first, ...groups] }: Pick<Contents, 'groups'>) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <ul className="grid gap-3 sm:grid-cols-2">
        {first?.entries.map(({ href, title, line }) => (
          <li key={href} className="doc-first">
            <a href={href}>{title}</a>
            <span>{line}</span>
          </li>
        ))}
      </ul>
      {groups.map(({ title, entries }) => (
        <Card key={title} title={title}>
          <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
            {entries.map((entry) => (
              <li key={entry.href}>
                <a className="gh-link" href={entry.href}>
                  {entry.title}
                </a>
                <span className="block text-sm text-ink-soft">{entry.line}</span>
              </li>
            ))}
          </ul>
        </Card>
      ))}
      <Addresses />
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
      <Card title={words.errors} text={words.errorsText}>
        <ul className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
          {Object.keys(errorTable).map((code) => (
            <li key={code}>
              <a className="gh-link" href={`/docs/errors/${code}`}>
                <Breakable code={code} />
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Addresses() {
  const { issuer } = config();
  return (
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
  );
}

/** An error code that can break between its words. */
function Breakable({ code }: { code: string }) {
  return code.split(/(?<=_)/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ));
}
