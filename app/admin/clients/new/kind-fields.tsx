import type { ReactNode } from 'react';
import { clientWords } from '#lib/messages/admin/clients.ts';
import { connectWords as words } from '#lib/messages/admin/connect.ts';
import { ChoiceField, TextField, TickField } from '../../ui/forms/fields.tsx';
import { AddressList } from '../address-list.tsx';

type OwnScope = { name: string; description: string };

// Whole names, so that the style sheet has them.
export const notForServices = 'group-has-[[value=service]:checked]/kind:hidden';
const forServices = 'not-group-has-[[value=service]:checked]/kind:hidden';
const forOidc = 'not-group-has-[[value=oidc]:checked]/kind:hidden';
const notForDevices = 'group-has-[[value=device]:checked]/kind:hidden';
const notForPublic = 'group-has-[[value=public]:checked]/kind:hidden';
const forPublic = 'not-group-has-[[value=public]:checked]/kind:hidden';

/** What is asked about an app of each kind; everything else follows from the kind or can wait. */
export function KindFields({
  initial,
  ownScopes,
}: {
  initial: { redirectUris: string; homePage: string };
  ownScopes: readonly OwnScope[];
}) {
  return (
    <>
      <div className={`grid gap-5 ${notForServices}`}>
        <div className={notForDevices}>
          <AddressList
            name="redirectUris"
            label={clientWords.redirectUris}
            hint={
              <>
                <span className={notForPublic}>{clientWords.redirectUrisHint}</span>
                <span className={forPublic}>{clientWords.redirectUrisHintPublic}</span>
              </>
            }
            initial={initial.redirectUris.split('\n').filter(Boolean)}
            acknowledges
            asksWhenEmpty
          />
        </div>
        <div className={forOidc}>
          <AddressList
            name="postLogoutRedirectUris"
            label={clientWords.postLogout}
            hint={clientWords.postLogoutHint}
            initial={[]}
            optional
          />
        </div>
        <TextField
          name="homePage"
          type="url"
          label={clientWords.homePage}
          hint={clientWords.homePageHint}
          defaultValue={initial.homePage}
          optional
          maxLength={2000}
        />
        <div className={`${notForPublic} ${notForDevices}`}>
          <Advanced>
            <TickField name="requirePkce" label={clientWords.pkce} hint={clientWords.pkceHint} />
            <TickField
              name="requireClientAuthOnRefresh"
              label={clientWords.authOnRefresh}
              hint={clientWords.authOnRefreshHint}
              initial
            />
          </Advanced>
        </div>
      </div>
      <div className={forServices}>
        <ServiceScopes ownScopes={ownScopes} />
      </div>
    </>
  );
}

/** What few need, folded. */
function Advanced({ children }: { children: ReactNode }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">
        {words.advanced}
      </summary>
      <div className="mt-3 grid gap-5">{children}</div>
    </details>
  );
}

function ServiceScopes({ ownScopes }: { ownScopes: readonly OwnScope[] }) {
  if (ownScopes.length === 0)
    return <p className="text-sm text-ink-soft">{clientWords.serviceScopesNone}</p>;
  return (
    <ChoiceField
      name="scopes"
      legend={clientWords.serviceScopes}
      hint={clientWords.serviceScopesHint}
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
