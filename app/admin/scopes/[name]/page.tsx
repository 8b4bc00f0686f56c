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
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { describeScope } from '../../../ui/scope-list.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { clientPage, scopePage } from '../../addresses.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Seen } from '../../ui/forms/seen.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { hrefOf } from '../../ui/href.ts';
import { Kept } from '../../ui/kept.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
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
          <ActionForm action={saveScope}>
            <Hidden fields={{ scope: scope.name }} />
            <Seen value={versionOfScope(scope)} />
            <ScopeFields
              scope={{
                ...scope,
                says: scope.builtIn ? describeScope(scope, text.locale) : undefined,
              }}
              languages={offeredLocales.map((tag) => [tag, languages[tag].name] as const)}
              at={scopePage(scope.name)}
              typed={await readParams(searchParams)}
            />
            <div>
              <Submit>{text('scopes.save')}</Submit>
            </div>
          </ActionForm>
        </Card>
      </Kept>
      <WhoMayAsk scope={scope} />
      {!scope.builtIn && !kept && <Removal scope={scope} />}
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

async function Removal({ scope: { name } }: { scope: Scope }) {
  const text = await pageText();
  const { clients, grants } = await countOfScope(name);
  return (
    <Card id="remove" title={text('scopes.remove')} text={text('scopes.removeText')}>
      <ActionForm action={removeScope} className="grid gap-3">
        <Hidden fields={{ scope: name }} />
        <Confirm
          label={text('scopes.removeButton')}
          text={text('scopes.removeWhat', { name, clients, grants })}
        >
          <Submit kind="danger" size="small">
            {text('scopes.removeConfirm')}
          </Submit>
        </Confirm>
      </ActionForm>
    </Card>
  );
}
