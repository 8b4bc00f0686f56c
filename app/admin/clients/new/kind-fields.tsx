import type { ReactNode } from 'react';
import { pageText } from '../../../locale.ts';
import { AreaField, ChoiceField, TextField, TickField } from '../../ui/forms/fields.tsx';
import { AddressList } from '../address-list.tsx';

type OwnScope = { name: string; description: string };

// The class names are written out so that they get into the style sheet.
export const notForServices = 'group-has-[[value=service]:checked]/kind:hidden';
const forServices = 'not-group-has-[[value=service]:checked]/kind:hidden';
const forOidc = 'not-group-has-[[value=oidc]:checked]/kind:hidden';
const notForDevices = 'group-has-[[value=device]:checked]/kind:hidden';
const notForGuarded = 'group-has-[[value=guarded]:checked]/kind:hidden';
const forGuarded = 'not-group-has-[[value=guarded]:checked]/kind:hidden';
const notForLdap = 'group-has-[[value=ldap]:checked]/kind:hidden';
const notForPublic = 'group-has-[[value=public]:checked]/kind:hidden';
const forPublic = 'not-group-has-[[value=public]:checked]/kind:hidden';

/** The questions for each kind of app; everything else follows from the kind or can wait. */
export async function KindFields({
  initial,
  ownScopes,
}: {
  initial: { redirectUris: string; homePage: string };
  ownScopes: readonly OwnScope[];
}) {
  const text = await pageText();
  return (
    <>
      <div className={`grid gap-5 ${notForServices} ${notForLdap}`}>
        <div className={forGuarded}>
          <AreaField
            name="guardedSites"
            label={text('clients.guardedSites')}
            hint={text('clients.guardedSitesHint')}
            rows={2}
            asTyped
            maxLength={8_000}
          />
        </div>
        <div className={`${notForDevices} ${notForGuarded}`}>
          <AddressList
            name="redirectUris"
            label={text('clients.redirectUris')}
            hint={
              <>
                <span className={notForPublic}>{text('clients.redirectUrisHint')}</span>
                <span className={forPublic}>{text('clients.redirectUrisHintPublic')}</span>
              </>
            }
            initial={initial.redirectUris.split('\n').filter(Boolean)}
            accepts={[]}
            asksWhenEmpty
          />
        </div>
        <div className={forOidc}>
          <AddressList
            name="postLogoutRedirectUris"
            label={text('clients.postLogout')}
            hint={text('clients.postLogoutHint')}
            initial={[]}
            optional
          />
        </div>
        <div className={notForGuarded}>
          <TextField
            name="homePage"
            type="url"
            label={text('clients.homePage')}
            hint={text('clients.homePageHint')}
            defaultValue={initial.homePage}
            optional
            maxLength={2000}
          />
        </div>
        <div className={`${notForPublic} ${notForDevices} ${notForGuarded}`}>
          <Advanced>
            <TickField
              name="requirePkce"
              label={text('clients.pkce')}
              hint={text('clients.pkceHint')}
            />
            <TickField
              name="requireClientAuthOnRefresh"
              label={text('clients.authOnRefresh')}
              hint={text('clients.authOnRefreshHint')}
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

/** Rarely needed fields, folded. */
async function Advanced({ children }: { children: ReactNode }) {
  const text = await pageText();
  return (
    <details>
      <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">
        {text('connect.advanced')}
      </summary>
      <div className="mt-3 grid gap-5">{children}</div>
    </details>
  );
}

async function ServiceScopes({ ownScopes }: { ownScopes: readonly OwnScope[] }) {
  const text = await pageText();
  if (ownScopes.length === 0)
    return <p className="text-sm text-ink-soft">{text('clients.serviceScopesNone')}</p>;
  return (
    <ChoiceField
      name="scopes"
      legend={text('clients.serviceScopes')}
      hint={text('clients.serviceScopesHint')}
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
