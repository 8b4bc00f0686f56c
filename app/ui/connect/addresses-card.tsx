import { config } from '#lib/config.ts';
import { appWords as words } from '#lib/messages/admin/app.ts';
import { docsWords } from '#lib/messages/docs.ts';
import { serverAddresses } from '#lib/recipes/fill.ts';
import { Card } from '../card.tsx';
import { CopyValue } from './copy-value.tsx';

const labels = {
  discovery: docsWords.discovery,
  authorize: docsWords.authorize,
  token: docsWords.token,
  userinfo: docsWords.me,
  jwks: docsWords.keys,
  logout: docsWords.logout,
  revoke: docsWords.revoke,
  introspect: docsWords.introspect,
} as const;

/** Where this server answers, for software that doesn't find it out by itself. */
export function AddressesCard() {
  const addresses = serverAddresses(config().issuer);
  return (
    <Card
      id="endpoints"
      title={words.endpoints}
      text={words.endpointsText}
      actions={
        <a className="gh-link text-sm" href="/docs">
          {words.docs}
        </a>
      }
    >
      <dl className="grid gap-3">
        {(Object.keys(labels) as (keyof typeof labels)[]).map((name) => (
          <CopyValue key={name} label={labels[name]} value={addresses[name]} />
        ))}
      </dl>
    </Card>
  );
}
