import { spokenBy } from '#lib/management/client/client-kinds.ts';
import type { ClientRecord, countOfClient } from '#lib/management/client/clients.ts';
import { pairLine } from '#lib/management/pairs.ts';
import type { Scope } from '#lib/management/scope/scopes.ts';
import { type AppLink, appLinks } from '#lib/oauth/app-links.ts';
import { clientFieldNames } from '#lib/oauth/client.ts';
import { proofOf } from '#lib/oauth/client-auth-methods.ts';
import { grantTypeNames, grantTypes } from '#lib/oauth/grant-types.ts';
import { hardeningOf } from '#lib/oauth/hardening.ts';
import type { Settings } from '#lib/settings/table.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { describeScope } from '../../../../ui/scope-list.tsx';
import { clientPage } from '../../../addresses.ts';
import { OnlyFor } from '../../../ui/allowed.tsx';
import {
  AreaField,
  ChoiceField,
  ColourField,
  TextField,
  TickField,
} from '../../../ui/forms/fields.tsx';
import { UnsavedGuard } from '../../../ui/forms/leave-guard.tsx';
import { SaveBar } from '../../../ui/forms/save-bar.tsx';
import { Seen } from '../../../ui/forms/seen.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Kept } from '../../../ui/kept.tsx';
import { saveClient } from '../../actions.ts';
import { AddressList } from '../../address-list.tsx';
import { FederatedFields } from '../../federated-fields.tsx';
import { KeyFields } from '../../key-fields.tsx';
import { SecretForm } from '../../secret-form.tsx';
import { Advanced } from './advanced.tsx';
import { DangerCard } from './danger-card.tsx';
import { DecidedCard } from './decided-card.tsx';
import { GuardCard } from './guard-card.tsx';
import { HardeningCard } from './hardening-card.tsx';
import { LogoCard } from './logo-card.tsx';
import { ProgramFields } from './program-fields.tsx';
import { ProtocolFields } from './protocol-fields.tsx';
import { SecretsCard } from './secrets-card.tsx';

/**
 * Folded: fields that follow from the recipe or kind of app, which are right for nearly everyone.
 */
const advancedFields = clientFieldNames.filter(
  (field) =>
    ![
      'name',
      'description',
      'homePage',
      'initiateLoginUri',
      'accent',
      'pageLines',
      'redirectUris',
      'recipe',
    ].includes(field),
);

type Props = {
  client: ClientRecord;
  /** The username of the person who answers for it; blank if there is none. */
  owner: string;
  scopes: readonly Scope[];
  settings: Settings;
  /** The default settings, as on a server where nothing was changed. */
  defaults: Settings;
  /** The app is managed by the configuration file. */
  kept: boolean;
  /** How much would end with the app. */
  count: Awaited<ReturnType<typeof countOfClient>>;
};

export async function SettingsView(props: Props) {
  const { client, owner, scopes, settings, defaults, kept, count } = props;
  const text = await pageText();
  const ofDocument = isOfDocument(client);
  const speaks = spokenBy(client);
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      <Kept kept={kept}>
        <SecretForm
          action={saveClient}
          className="grid grid-cols-[minmax(0,1fr)] gap-6"
          title={text('clients.secretNew')}
          href={clientPage(client.id, 'settings')}
        >
          {!kept && <UnsavedGuard />}
          <Hidden fields={{ client: client.id, recipe: client.recipe ?? '' }} />
          <Seen value={String(client.updatedAt.getTime())} />
          {ofDocument && <DecidedCard client={client} />}
          <AppearanceFields client={client} />
          {speaks === 'proxy' && <GuardCard client={client} />}
          {(speaks === 'oauth' || client.redirectUris.length > 0) && !ofDocument && (
            <AddressFields client={client} />
          )}
          {speaks !== 'oauth' && (
            <Card id="programs" title={text('clients.programs')}>
              <div className="grid gap-5">
                <ProgramFields client={client} />
              </div>
            </Card>
          )}
          <Advanced fields={[...advancedFields, 'owner']}>
            <FurtherAddressFields client={client} />
            <Card id="may" title={text('clients.may')}>
              <div className="grid gap-6">
                {!ofDocument && <GrantFields client={client} />}
                <ScopeFields
                  client={client}
                  scopes={scopes.map((scope) => ({
                    name: scope.name,
                    says: describeScope(scope, text.locale),
                  }))}
                />
              </div>
            </Card>
            <TrustFields client={client} owner={owner} />
            <ProtocolFields client={client} settings={settings} />
          </Advanced>
          <SaveBar>
            <Submit>{text('clients.save')}</Submit>
          </SaveBar>
        </SecretForm>
      </Kept>
      <LogoCard client={client} />
      {proofOf(client) === 'secret' && <SecretsCard client={client} kept={kept} />}
      <HardeningCard clientId={client.id} ends={hardeningOf(client, settings, defaults)} />
      <OnlyFor need="admin">
        <DangerCard client={client} kept={kept} count={count} />
      </OnlyFor>
    </div>
  );
}

/** Whether the app describes itself with a document that an admin cannot change here. */
const isOfDocument = ({ origin }: ClientRecord) => origin === 'document';

const furtherLinks = appLinks.filter((link) => link !== 'homePage');

async function LinkField({
  client,
  name,
  hint,
}: {
  client: ClientRecord;
  name: AppLink | 'initiateLoginUri';
  hint: string;
}) {
  const text = await pageText();
  return (
    <TextField
      name={name}
      type="url"
      label={text(`clients.${name}`)}
      hint={hint}
      defaultValue={client[name] ?? ''}
      optional
      maxLength={2000}
    />
  );
}

async function AppearanceFields({ client }: { client: ClientRecord }) {
  const text = await pageText();
  return (
    <Card id="appearance" title={text('clients.appearance')}>
      <div className="gh-columns">
        {!isOfDocument(client) && (
          <TextField
            name="name"
            label={text('clients.name')}
            hint={text('clients.nameHint')}
            defaultValue={client.name}
            required
            maxLength={100}
          />
        )}
        <AreaField
          name="description"
          label={text('clients.description')}
          hint={text('clients.descriptionHint')}
          defaultValue={client.description ?? ''}
          optional
          rows={2}
          maxLength={1000}
        />
        {!isOfDocument(client) && (
          <LinkField client={client} name="homePage" hint={text('clients.homePageHint')} />
        )}
        <LinkField
          client={client}
          name="initiateLoginUri"
          hint={text('clients.initiateLoginUriHint')}
        />
        <ColourField
          name="accent"
          label={text('clients.accent')}
          hint={text('clients.accentHint')}
          defaultValue={client.accent ?? ''}
          placeholder="#0b6354"
          optional
        />
        <AreaField
          name="pageLines"
          label={text('clients.pageLines')}
          hint={text('clients.pageLinesHint')}
          defaultValue={Object.entries(client.pageLines).map(pairLine).join('\n')}
          dir="auto"
          optional
          rows={3}
        />
      </div>
    </Card>
  );
}

async function AddressFields({ client }: { client: ClientRecord }) {
  const text = await pageText();
  return (
    <Card id="addresses" title={text('clients.addresses')}>
      <div className="grid gap-5">
        <AddressList
          name="redirectUris"
          label={text('clients.redirectUris')}
          hint={text('clients.redirectUrisHint')}
          initial={client.redirectUris}
          accepts={client.redirectUris}
          asksWhenEmpty
        />
      </div>
    </Card>
  );
}

async function FurtherAddressFields({ client }: { client: ClientRecord }) {
  const text = await pageText();
  return (
    <Card id="further" title={text('app.further')}>
      <div className="grid gap-5">
        {!isOfDocument(client) && (
          <>
            {furtherLinks.map((name) => (
              <LinkField key={name} client={client} name={name} hint={text('clients.linkHint')} />
            ))}
            <AddressList
              name="postLogoutRedirectUris"
              label={text('clients.postLogout')}
              hint={text('clients.postLogoutHint')}
              initial={client.postLogoutRedirectUris}
              optional
            />
          </>
        )}
        <TextField
          name="backchannelLogoutUri"
          type="url"
          label={text('clients.backchannel')}
          hint={text('clients.backchannelHint')}
          defaultValue={client.backchannelLogoutUri ?? ''}
          optional
          maxLength={2000}
        />
      </div>
    </Card>
  );
}

async function GrantFields({ client }: { client: ClientRecord }) {
  const text = await pageText();
  return (
    <ChoiceField
      name="grants"
      legend={text('clients.grants')}
      many
      initial={client.grants}
      options={grantTypeNames.map((value) => ({
        value,
        label: grantTypes[value].label,
        hint: text(`clients.grantHints.${value}`),
      }))}
    />
  );
}

async function ScopeFields({
  client,
  scopes,
}: {
  client: ClientRecord;
  scopes: readonly { name: string; says: string }[];
}) {
  const text = await pageText();
  return (
    <>
      <ChoiceField
        name="scopesMode"
        legend={text('clients.scopesMode')}
        initial={[client.scopes === null ? 'all' : 'listed']}
        options={[
          { value: 'all', label: text('clients.scopesAll'), hint: text('clients.scopesAllHint') },
          {
            value: 'listed',
            label: text('clients.scopesListed'),
            hint: text('clients.scopesListedHint'),
          },
        ]}
      />
      <ChoiceField
        name="scopes"
        legend={text('clients.scopes')}
        many
        columns
        initial={client.scopes ?? []}
        options={scopes.map(({ name, says }) => ({ value: name, label: name, hint: says }))}
      />
    </>
  );
}

async function TypeField({ client }: { client: ClientRecord }) {
  const text = await pageText();
  return (
    <ChoiceField
      name="type"
      legend={text('clients.type')}
      hint={text('clients.typeWarning')}
      initial={[client.type]}
      options={[
        {
          value: 'confidential',
          label: text('clients.confidential'),
          hint: text('clients.confidentialHint'),
        },
        { value: 'public', label: text('clients.public'), hint: text('clients.publicHint') },
      ]}
    />
  );
}

async function TrustFields({ client, owner }: Pick<Props, 'client' | 'owner'>) {
  const text = await pageText();
  const speaks = spokenBy(client);
  const pairs = (name: 'identityFor' | 'identityGroups', label: string, hint: string) => (
    <AreaField
      name={name}
      label={label}
      hint={hint}
      defaultValue={Object.entries(client[name]).map(pairLine).join('\n')}
      optional
      rows={2}
      maxLength={8_000}
    />
  );
  return (
    <Card id="trust" title={text('clients.trust')}>
      <div className="grid gap-5">
        {!isOfDocument(client) && (
          <>
            <TypeField client={client} />
            <KeyFields jwks={client.jwks} jwksUri={client.jwksUri} />
            <FederatedFields federatedCredentials={client.federatedCredentials} />
          </>
        )}
        <TickField
          name="firstParty"
          label={text('clients.firstParty')}
          hint={text('clients.firstPartyHint')}
          initial={client.firstParty}
        />
        <TextField
          name="defaultApi"
          label={text('clients.defaultApi')}
          hint={text('clients.defaultApiHint')}
          defaultValue={client.defaultApi ?? ''}
          optional
          asTyped
          maxLength={500}
        />
        <AreaField
          name="exchangeFor"
          label={text('clients.exchangeFor')}
          hint={text('clients.exchangeForHint')}
          defaultValue={client.exchangeFor.join('\n')}
          optional
          rows={2}
          maxLength={8_000}
        />
        {pairs('identityFor', text('clients.identityFor'), text('clients.identityForHint'))}
        {pairs(
          'identityGroups',
          text('clients.identityGroups'),
          text('clients.identityGroupsHint'),
        )}
        <TickField
          name="agent"
          label={text('clients.agent')}
          hint={text('clients.agentHint')}
          initial={client.agent}
        />
        {speaks === 'oauth' && (
          <div id="programs" className="grid gap-5">
            <ProgramFields client={client} />
          </div>
        )}
        <TextField
          name="owner"
          label={text('clients.owner')}
          hint={text('clients.ownerHint')}
          defaultValue={owner}
          asTyped
          maxLength={254}
          optional
        />
        <TickField
          name="resourceServer"
          label={text('clients.resourceServerLabel')}
          hint={text('clients.resourceServerHint')}
          initial={client.resourceServer}
        />
      </div>
    </Card>
  );
}
