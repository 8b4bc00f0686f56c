import type { ClientRecord, countOfClient } from '#lib/management/client/clients.ts';
import type { Scope } from '#lib/management/scope/scopes.ts';
import { appWords } from '#lib/messages/admin/app.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { clientFieldNames } from '#lib/oauth/client.ts';
import { hardeningOf } from '#lib/oauth/hardening.ts';
import type { Settings } from '#lib/settings/table.ts';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { describeScope } from '../../../../ui/scope-list.tsx';
import { clientPage } from '../../../addresses.ts';
import { OnlyFor } from '../../../ui/allowed.tsx';
import { AreaField, ChoiceField, TextField, TickField } from '../../../ui/forms/fields.tsx';
import { UnsavedGuard } from '../../../ui/forms/leave-guard.tsx';
import { SaveBar } from '../../../ui/forms/save-bar.tsx';
import { Seen } from '../../../ui/forms/seen.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Kept } from '../../../ui/kept.tsx';
import { saveClient } from '../../actions.ts';
import { AddressList } from '../../address-list.tsx';
import { SecretForm } from '../../secret-form.tsx';
import { Advanced } from './advanced.tsx';
import { DangerCard } from './danger-card.tsx';
import { DecidedCard } from './decided-card.tsx';
import { HardeningCard } from './hardening-card.tsx';
import { LogoCard } from './logo-card.tsx';
import { ProtocolFields } from './protocol-fields.tsx';
import { SecretsCard } from './secrets-card.tsx';

/** Folded: what follows from the recipe or the kind of app, and is right for nearly everybody. */
const advancedFields = clientFieldNames.filter(
  (field) =>
    !['name', 'description', 'homePage', 'initiateLoginUri', 'redirectUris', 'recipe'].includes(
      field,
    ),
);

type Props = {
  client: ClientRecord;
  scopes: readonly Scope[];
  settings: Settings;
  /** The settings of a server on which nothing was changed. */
  defaults: Settings;
  /** The configuration file keeps it. */
  kept: boolean;
  /** How much goes with the app. */
  count: Awaited<ReturnType<typeof countOfClient>>;
};

/** Everything that can be decided about an app. */
export function SettingsView({ client, scopes, settings, defaults, kept, count }: Props) {
  const ofDocument = isOfDocument(client);
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      <Kept kept={kept}>
        <SecretForm
          action={saveClient}
          className="grid grid-cols-[minmax(0,1fr)] gap-6"
          title={words.secretNew}
          href={clientPage(client.id, 'settings')}
        >
          {!kept && <UnsavedGuard />}
          <Hidden fields={{ client: client.id, recipe: client.recipe ?? '' }} />
          <Seen value={String(client.updatedAt.getTime())} />
          {ofDocument && <DecidedCard client={client} />}
          <AppearanceFields client={client} />
          {!ofDocument && <AddressFields client={client} />}
          <Advanced fields={advancedFields}>
            <FurtherAddressFields client={client} />
            <Card id="may" title={words.may}>
              <div className="grid gap-6">
                {!ofDocument && <GrantFields client={client} />}
                <ScopeFields
                  client={client}
                  scopes={scopes.map((scope) => ({
                    name: scope.name,
                    says: describeScope(scope, 'en'),
                  }))}
                />
              </div>
            </Card>
            <TrustFields client={client} />
            <ProtocolFields client={client} settings={settings} />
          </Advanced>
          <SaveBar>
            <Submit>{words.save}</Submit>
          </SaveBar>
        </SecretForm>
      </Kept>
      <LogoCard client={client} />
      {client.type === 'confidential' && <SecretsCard client={client} kept={kept} />}
      <HardeningCard clientId={client.id} ends={hardeningOf(client, settings, defaults)} />
      <OnlyFor need="admin">
        <DangerCard client={client} kept={kept} count={count} />
      </OnlyFor>
    </div>
  );
}

/** Its document decides what it says of itself. */
const isOfDocument = ({ origin }: ClientRecord) => origin === 'document';

type LinkField = 'homePage' | 'initiateLoginUri' | 'privacyLink' | 'termsLink';

function LinkField({
  client,
  name,
  hint,
}: {
  client: ClientRecord;
  name: LinkField;
  hint: string;
}) {
  return (
    <TextField
      name={name}
      type="url"
      label={words[name]}
      hint={hint}
      defaultValue={client[name] ?? ''}
      optional
      maxLength={2000}
    />
  );
}

function AppearanceFields({ client }: { client: ClientRecord }) {
  return (
    <Card id="appearance" title={words.appearance}>
      <div className="grid gap-5">
        {!isOfDocument(client) && (
          <TextField
            name="name"
            label={words.name}
            hint={words.nameHint}
            defaultValue={client.name}
            required
            maxLength={100}
          />
        )}
        <AreaField
          name="description"
          label={words.description}
          hint={words.descriptionHint}
          defaultValue={client.description ?? ''}
          optional
          rows={2}
          maxLength={1000}
        />
        {!isOfDocument(client) && (
          <LinkField client={client} name="homePage" hint={words.homePageHint} />
        )}
        <LinkField client={client} name="initiateLoginUri" hint={words.initiateLoginUriHint} />
      </div>
    </Card>
  );
}

function AddressFields({ client }: { client: ClientRecord }) {
  return (
    <Card id="addresses" title={words.addresses}>
      <div className="grid gap-5">
        <AddressList
          name="redirectUris"
          label={words.redirectUris}
          hint={words.redirectUrisHint}
          initial={client.redirectUris}
          acknowledges
          asksWhenEmpty
        />
      </div>
    </Card>
  );
}

function FurtherAddressFields({ client }: { client: ClientRecord }) {
  return (
    <Card id="further" title={appWords.further}>
      <div className="grid gap-5">
        {!isOfDocument(client) && (
          <>
            <LinkField client={client} name="privacyLink" hint={words.linkHint} />
            <LinkField client={client} name="termsLink" hint={words.linkHint} />
            <AddressList
              name="postLogoutRedirectUris"
              label={words.postLogout}
              hint={words.postLogoutHint}
              initial={client.postLogoutRedirectUris}
              optional
            />
          </>
        )}
        <TextField
          name="backchannelLogoutUri"
          type="url"
          label={words.backchannel}
          hint={words.backchannelHint}
          defaultValue={client.backchannelLogoutUri ?? ''}
          optional
          maxLength={2000}
        />
      </div>
    </Card>
  );
}

function GrantFields({ client }: { client: ClientRecord }) {
  const names = Object.entries(words.grantNames);
  return (
    <ChoiceField
      name="grants"
      legend={words.grants}
      many
      initial={client.grants}
      options={names.map(([value, { label, hint }]) => ({ value, label, hint }))}
    />
  );
}

function ScopeFields({
  client,
  scopes,
}: {
  client: ClientRecord;
  scopes: readonly { name: string; says: string }[];
}) {
  return (
    <>
      <ChoiceField
        name="scopesMode"
        legend={words.scopesMode}
        initial={[client.scopes === null ? 'all' : 'listed']}
        options={[
          { value: 'all', label: words.scopesAll, hint: words.scopesAllHint },
          { value: 'listed', label: words.scopesListed, hint: words.scopesListedHint },
        ]}
      />
      <ChoiceField
        name="scopes"
        legend={words.scopes}
        many
        columns
        initial={client.scopes ?? []}
        options={scopes.map(({ name, says }) => ({ value: name, label: name, hint: says }))}
      />
    </>
  );
}

function TypeField({ client }: { client: ClientRecord }) {
  return (
    <ChoiceField
      name="type"
      legend={words.type}
      hint={words.typeWarning}
      initial={[client.type]}
      options={[
        { value: 'confidential', label: words.confidential, hint: words.confidentialHint },
        { value: 'public', label: words.public, hint: words.publicHint },
      ]}
    />
  );
}

function TrustFields({ client }: { client: ClientRecord }) {
  return (
    <Card id="trust" title={words.trust}>
      <div className="grid gap-5">
        {!isOfDocument(client) && <TypeField client={client} />}
        <TickField
          name="firstParty"
          label={words.firstParty}
          hint={words.firstPartyHint}
          initial={client.firstParty}
        />
        <TickField
          name="resourceServer"
          label={words.resourceServerLabel}
          hint={words.resourceServerHint}
          initial={client.resourceServer}
        />
      </div>
    </Card>
  );
}
