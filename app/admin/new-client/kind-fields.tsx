import type { ClientKind } from '#lib/management/client-kinds.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { AddressList } from '../clients/address-list.tsx';
import { ChoiceField, TextField, TickField } from '../ui/forms/fields.tsx';

type OwnScope = { name: string; description: string };

/** What is asked about a client of a kind; everything else follows from the kind or can wait. */
export function KindFields({
  kind,
  ownScopes,
}: {
  kind: ClientKind;
  ownScopes: readonly OwnScope[];
}) {
  if (kind === 'service') return <ServiceFields ownScopes={ownScopes} />;
  return (
    <>
      <AddressList
        name="redirectUris"
        label={words.redirectUris}
        hint={kind === 'public' ? words.redirectUrisHintPublic : words.redirectUrisHint}
        initial={[]}
        acknowledges
      />
      {kind === 'oidc' && (
        <AddressList
          name="postLogoutRedirectUris"
          label={words.postLogout}
          hint={words.postLogoutHint}
          initial={[]}
          optional
        />
      )}
      <TextField
        name="homePage"
        type="url"
        label={words.homePage}
        hint={words.homePageHint}
        optional
        maxLength={2000}
      />
      {kind !== 'public' && (
        <>
          <TickField name="requirePkce" label={words.pkce} hint={words.pkceHint} />
          <TickField
            name="requireClientAuthOnRefresh"
            label={words.authOnRefresh}
            hint={words.authOnRefreshHint}
            initial
          />
        </>
      )}
    </>
  );
}

function ServiceFields({ ownScopes }: { ownScopes: readonly OwnScope[] }) {
  if (ownScopes.length === 0)
    return <p className="text-sm text-ink-soft">{words.serviceScopesNone}</p>;
  return (
    <ChoiceField
      name="scopes"
      legend={words.serviceScopes}
      hint={words.serviceScopesHint}
      many
      initial={[]}
      options={ownScopes.map(({ name, description }) => ({
        value: name,
        label: name,
        hint: description,
      }))}
    />
  );
}
