import { decoded } from '#lib/http/decoded.ts';
import { showAccess } from '#lib/management/client/access.ts';
import { spokenBy } from '#lib/management/client/client-kinds.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { isKept } from '#lib/management/kept.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../../params.ts';
import { Hidden } from '../../../../ui/hidden.tsx';
import { clientPage } from '../../../addresses.ts';
import { AppPasswordsCard } from '../../../people/app-passwords.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { UnsavedGuard } from '../../../ui/forms/leave-guard.tsx';
import { SaveBar } from '../../../ui/forms/save-bar.tsx';
import { Seen } from '../../../ui/forms/seen.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Kept } from '../../../ui/kept.tsx';
import { saveAccess } from '../../access-actions.ts';
import { AppPage } from '../app-page.tsx';
import { AllowedCard } from './allowed-card.tsx';
import { ApisCard } from './apis-card.tsx';
import { ClaimsCard } from './claims-card.tsx';
import { ContactsCard } from './contacts-card.tsx';
import { FactsCard } from './facts-card.tsx';
import { ListedCard } from './listed-card.tsx';
import { PeopleCard } from './people-card.tsx';
import { RegistrationCard } from './registration-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { ScopesCard } from './scopes-card.tsx';

const columns = 'grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-2';
const column = 'grid grid-cols-[minmax(0,1fr)] gap-6';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** Who may use an app, what each person has allowed it, and what it may ask for. */
export default async function AccessPage({ params, searchParams }: Props) {
  await guardPage('/admin/clients/[clientId]/access');
  const text = await pageText();
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const kept = await isKept('client', client.id);
  const access = await showAccess(client.id);
  const getsTokens = spokenBy(client) !== 'ldap';
  // Beside the choice that it follows from.
  const listed = (
    <Kept kept={kept}>
      <ListedCard clientId={client.id} access={access} />
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
              <RulesCard client={client} />
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
          <ContactsCard client={client} />
        </div>
        <div className={column}>
          <RegistrationCard client={client} />
          <FactsCard client={client} />
          {getsTokens && <ScopesCard client={client} />}
          {getsTokens && <ApisCard clientId={client.id} />}
        </div>
      </div>
      <AppPasswordsCard
        of={{ clientId: client.id, areTaken: client.appPasswords }}
        back={clientPage(client.id, 'access')}
      />
      {getsTokens && <PeopleCard client={client} after={(await readParams(searchParams)).after} />}
    </AppPage>
  );
}
