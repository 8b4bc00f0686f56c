import { decoded } from '#lib/http/decoded.ts';
import { ownAddress } from '#lib/http/network.ts';
import { pageRequest } from '#lib/http/next.ts';
import { apisOfClient } from '#lib/management/api/api-clients.ts';
import { showAccess } from '#lib/management/client/access.ts';
import { type ClientRecord, countOfClient, showClient } from '#lib/management/client/clients.ts';
import { listContacts } from '#lib/management/client/contacts.ts';
import { listGrants } from '#lib/management/grant/grants.ts';
import { listGroups } from '#lib/management/group/groups.ts';
import { isKept } from '#lib/management/kept.ts';
import { listScopes } from '#lib/management/scope/scopes.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../../params.ts';
import { Card } from '../../../../ui/card.tsx';
import { Confirm } from '../../../../ui/confirm.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { describeScope } from '../../../../ui/scope-list.tsx';
import { stripBidi } from '../../../../ui/user-text.tsx';
import { clientPage } from '../../../addresses.ts';
import { revokeApproval } from '../../../approvals/actions.ts';
import { ApprovalTable } from '../../../approvals/approval-table.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { UnsavedGuard } from '../../../ui/forms/leave-guard.tsx';
import { SaveBar } from '../../../ui/forms/save-bar.tsx';
import { Seen } from '../../../ui/forms/seen.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Kept } from '../../../ui/kept.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { saveAccess } from '../../access-actions.ts';
import { AppPage } from '../app-page.tsx';
import { AllowedCard } from './allowed-card.tsx';
import { ApisCard } from './apis-card.tsx';
import { ClaimsCard } from './claims-card.tsx';
import { ContactsCard } from './contacts-card.tsx';
import { FactsCard } from './facts-card.tsx';
import { ListedCard } from './listed-card.tsx';
import { RegistrationCard } from './registration-card.tsx';
import { RulesCard } from './rules-card.tsx';

const columns = 'grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-2';
const column = 'grid grid-cols-[minmax(0,1fr)] gap-6';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** Who may use an app, what each person has allowed it, and what it may ask for. */
export default async function AccessPage({ params, searchParams }: Props) {
  await guardPage('/admin/clients/[clientId]/access');
  const text = await pageText();
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const query = await readParams(searchParams);
  const { rows, next, previous } = await orNotFound(
    listGrants({ clientId: client.id, cursor: query.after || undefined, limit: 25 }),
  );
  const kept = await isKept('client', client.id);
  const access = await showAccess(client.id);
  const page = clientPage(client.id, 'access');
  const none = client.firstParty
    ? text('clients.peopleNoneFirstParty')
    : text('clients.peopleNone');
  // Beside the choice that it follows from.
  const listed = (
    <Kept kept={kept}>
      <ListedCard
        clientId={client.id}
        access={access}
        known={(await listGroups({ limit: 100 })).rows.map(({ name }) => name)}
      />
    </Kept>
  );
  return (
    <AppPage client={client} tab="access">
      {client.access === 'listed' && listed}
      <Kept kept={kept}>
        <ActionForm
          action={saveAccess}
          label={text('app.tabs.access')}
          className="grid grid-cols-[minmax(0,1fr)] gap-6"
        >
          <UnsavedGuard />
          <Hidden fields={{ client: client.id }} />
          <Seen value={String(client.updatedAt.getTime())} />
          <div className={columns}>
            <div className={column}>
              <AllowedCard client={client} access={access} />
              <RulesCard client={client} address={ownAddress(await pageRequest())} />
            </div>
            <ClaimsCard client={client} />
          </div>
          <SaveBar>
            <Submit>{text('clients.save')}</Submit>
          </SaveBar>
        </ActionForm>
      </Kept>
      <div className={columns}>
        <div className={column}>
          {client.access === 'everybody' && listed}
          <ContactsCard
            clientId={client.id}
            agent={client.agent}
            contacts={await listContacts(client.id)}
          />
        </div>
        <div className={column}>
          <RegistrationCard client={client} />
          <FactsCard client={client} count={await countOfClient(client.id, new Date())} />
          <ScopesCard client={client} />
          <ApisCard apis={await apisOfClient(client.id)} />
        </div>
      </div>
      <Card
        id="people"
        title={text('app.people')}
        text={rows.length > 0 ? text('app.peopleText') : none}
      >
        {rows.length > 0 && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <ApprovalTable approvals={rows} of="client" back={page} />
            <Pager path={page} query={{ after: query.after }} next={next} previous={previous} />
            <RevokeEverybody client={client} back={page} />
          </div>
        )}
      </Card>
    </AppPage>
  );
}

async function ScopesCard({ client }: { client: ClientRecord }) {
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

/** Signs everyone out of the app; each user is asked again. */
async function RevokeEverybody({ client, back }: { client: ClientRecord; back: string }) {
  const text = await pageText();
  const name = stripBidi(client.shownName);
  return (
    <ActionForm action={revokeApproval} className="grid gap-3 border-t border-line pt-5">
      <Hidden fields={{ client: client.id, back }} />
      <Confirm
        label={text('app.revokeAll')}
        text={text('approvals.revokeAllOfClientText', { client: name })}
      >
        <Submit kind="danger" size="small">
          {text('approvals.revokeAllConfirm')}
        </Submit>
      </Confirm>
    </ActionForm>
  );
}
