import { decoded } from '#lib/http/decoded.ts';
import { listClients } from '#lib/management/client/clients.ts';
import { isKept } from '#lib/management/kept.ts';
import {
  countOfScope,
  type Scope,
  showScope,
  versionOfScope,
} from '#lib/management/scope/scopes.ts';
import { languages, offeredLocales } from '#lib/messages/locales.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { describeScope } from '../../../ui/scope-list.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { clientPage, scopePage } from '../../addresses.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { hrefOf } from '../../ui/href.ts';
import { Kept } from '../../ui/kept.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { Removal } from '../../ui/removal.tsx';
import { removeScope, saveScope } from '../actions.ts';
import { ScopeFields } from '../scope-fields.tsx';

type Props = { params: Promise<{ name: string }>; searchParams: SearchParams };

export default async function ScopePage({ params, searchParams }: Props) {
  await guardPage('/admin/scopes/[name]');
  const text = await pageText();
  const scope = await orNotFound(showScope(decoded((await params).name)));
  const kept = await isKept('scope', scope.name);
  return (
    <AdminPage
      title={scope.name}
      heading={
        <span className="flex flex-wrap items-center gap-3">
          <span className="font-mono">{scope.name}</span>
          {scope.builtIn && <Badge>{text('scopes.builtIn')}</Badge>}
        </span>
      }
      up="/admin/scopes"
      width="narrow"
      kept={kept && 'scope'}
    >
      <Kept kept={kept}>
        <Card>
          <SaveForm
            action={saveScope}
            fields={{ scope: scope.name }}
            seen={versionOfScope(scope)}
            save={text('scopes.save')}
          >
            <ScopeFields
              scope={{
                ...scope,
                says: scope.builtIn ? describeScope(scope, text.locale) : undefined,
              }}
              languages={offeredLocales.map((tag) => [tag, languages[tag].name] as const)}
              at={scopePage(scope.name)}
              typed={await readParams(searchParams)}
            />
          </SaveForm>
        </Card>
      </Kept>
      <WhoMayAsk scope={scope} />
      {!scope.builtIn && !kept && <Remove scope={scope} />}
    </AdminPage>
  );
}

async function WhoMayAsk({ scope }: { scope: Scope }) {
  const text = await pageText();
  const { rows, next } = await listClients({ scope: scope.name, sort: 'name', limit: 20 });
  return (
    <Card
      id="who"
      title={text('scopes.mayAsk')}
      text={scope.sensitive ? text('scopes.mayAskNamed') : text('scopes.mayAskAll')}
    >
      {rows.length === 0 ? (
        <p>
          {text('scopes.mayAskNone')}{' '}
          <span className="text-ink-soft">{text('scopes.mayAskNoneHow')}</span>
        </p>
      ) : (
        <ul className="flex flex-wrap gap-x-5 gap-y-2">
          {rows.map((client) => (
            <li key={client.id}>
              <QuickLink className="gh-link" href={clientPage(client.id)}>
                <UserText text={client.shownName} />
              </QuickLink>
            </li>
          ))}
          {next && (
            <li>
              <QuickLink
                className="gh-link font-semibold"
                href={hrefOf('/admin/clients', { scope: scope.name })}
              >
                {text('scopes.allOfThem')}
              </QuickLink>
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}

async function Remove({ scope: { name } }: { scope: Scope }) {
  const text = await pageText();
  const { clients, grants } = await countOfScope(name);
  return (
    <Removal
      room="scopes"
      action={removeScope}
      fields={{ scope: name }}
      text={text('scopes.removeWhat', { name, clients, grants })}
    />
  );
}
