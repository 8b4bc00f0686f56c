import type { ClientRecord } from '#lib/management/client/clients.ts';
import { listScopes } from '#lib/management/scope/scopes.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { describeScope } from '../../../../ui/scope-list.tsx';
import { clientPage } from '../../../addresses.ts';
import { QuickLink } from '../../../ui/quick-link.tsx';

/** The scopes that an app may ask for. */
export async function ScopesCard({ client }: { client: ClientRecord }) {
  const text = await pageText();
  const scopes = (await listScopes()).filter(({ name, sensitive }) =>
    client.scopes === null ? !sensitive : client.scopes.includes(name),
  );
  return (
    <Card
      id="scopes"
      title={text('app.scopes')}
      text={
        client.scopes === null
          ? text('app.scopesAll')
          : scopes.length === 0
            ? text('app.scopesNone')
            : ''
      }
      actions={
        <QuickLink className="gh-link text-sm" href={`${clientPage(client.id, 'settings')}#may`}>
          {text('app.change')}
        </QuickLink>
      }
    >
      {scopes.length > 0 && (
        <ul className="grid gap-2">
          {scopes.map((scope) => (
            <li key={scope.name} className="text-sm">
              <code className="font-semibold break-all">{scope.name}</code>
              <span className="block text-ink-soft">{describeScope(scope, text.locale)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
