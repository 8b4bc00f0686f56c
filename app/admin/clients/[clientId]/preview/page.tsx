import { previewClaims } from '#lib/endpoints/preview.ts';
import { matchUser } from '#lib/management/candidates.ts';
import { type ClientRecord, showClient } from '#lib/management/client/clients.ts';
import { listScopes, type Scope } from '#lib/management/scope/scopes.ts';
import { previewWords as words } from '#lib/messages/admin/preview.ts';
import { trialWords as explained } from '#lib/messages/admin/trial.ts';
import { mayAsk } from '#lib/oauth/scope.ts';
import { findClient } from '#lib/store/clients.ts';
import { findGrant } from '#lib/store/grants.ts';
import { requirePermission } from '../../../../guards.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { decoded, readParams, type SearchParams } from '../../../../params.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Input } from '../../../../ui/input.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { clientPage } from '../../../addresses.ts';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { WhichOne } from '../../../ui/match.tsx';
import { AppPage } from '../app-page.tsx';
import { Explained } from '../try/raw.tsx';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };
type Query = Readonly<Record<string, string>>;

const fieldOf = (scope: string) => `scope-${scope}`;
const usual = ['openid', 'profile', 'email'];

/** What an app would be told about somebody. */
export default async function PreviewPage({ params, searchParams }: Props) {
  await requirePermission('see-everything');
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const query = await readParams(searchParams);
  const scopes = (await listScopes()).filter((scope) => mayAsk(client, scope));
  const typed = query.person?.trim();
  const meant = typed ? await matchUser(typed) : null;
  const one = meant && 'one' in meant ? meant.one : null;
  const chosen = chosenOf(query, scopes);
  const path = clientPage(client.id, 'preview');
  return (
    <AppPage client={client} tab="connect">
      <div>
        <h2 className="text-xl font-semibold tracking-tight">{words.title}</h2>
        <p className="mt-1 text-ink-soft">{words.lead}</p>
      </div>
      <Card id="who">
        <form action={path} className="grid gap-5 sm:max-w-xl" aria-label={words.title}>
          <Field name="person" label={words.person} hint={words.personHint}>
            {(control) => (
              <Input
                {...control}
                defaultValue={one?.label ?? typed}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={300}
                required
              />
            )}
          </Field>
          <input type="hidden" name="chosen" value="1" />
          <fieldset>
            <legend className="font-semibold">{words.scopes}</legend>
            <div className="mt-2 grid gap-2 sm:grid-cols-2">
              {scopes.map(({ name }) => (
                <Checkbox
                  key={name}
                  name={fieldOf(name)}
                  label={name}
                  defaultChecked={chosen.includes(name)}
                />
              ))}
            </div>
          </fieldset>
          <div>
            <Button>{words.show}</Button>
          </div>
        </form>
      </Card>
      <WhichOne path={path} query={query} name="person" meant={meant} />
      {one && <Told client={client} person={one} scopes={chosen} />}
    </AppPage>
  );
}

/** The ticked scopes; at first those that most apps ask for. */
function chosenOf(query: Query, scopes: readonly Scope[]): string[] {
  const isChosen = (name: string) =>
    query.chosen ? query[fieldOf(name)] === 'on' : usual.includes(name);
  return scopes.map(({ name }) => name).filter(isChosen);
}

async function Told({
  client,
  person,
  scopes,
}: {
  client: ClientRecord;
  person: { id: string; label: string };
  scopes: string[];
}) {
  const registered = await findClient(client.id);
  const told = registered && (await previewClaims(registered, person.id, scopes, new Date()));
  if (!told) return null;
  const grant = await findGrant(person.id, client.id);
  const meanings = meaningsFor(client);
  return (
    <>
      <p>
        <UserText
          text={
            grant ? words.allowed(person.label, grant.scopes.join(', ')) : words.none(person.label)
          }
        />
      </p>
      {told.keptOut && (
        <AdminNotice kind="warning">
          <UserText text={words.keptOut[told.keptOut](person.label)} />
        </AdminNotice>
      )}
      <Claims
        id="id-token"
        title={words.idToken}
        claims={told.idToken}
        text={words.idTokenText}
        meanings={meanings}
      >
        {words.noIdToken}
      </Claims>
      {told.idToken && told.leftOut.length > 0 && (
        <AdminNotice kind="info">
          {told.leftOut.map((what) => words.leftOut[what]).join(' ')}
        </AdminNotice>
      )}
      <Claims
        id="userinfo"
        title={words.userinfo}
        claims={told.userInformation}
        meanings={meanings}
      />
      <Claims
        id="introspection"
        title={words.introspection}
        claims={told.introspection}
        meanings={meanings}
      >
        {words.noIntrospection}
      </Claims>
    </>
  );
}

/** The claims that an admin named for this app have a meaning, too. */
function meaningsFor({ groupsClaim, constantClaims }: ClientRecord) {
  const constants = Object.keys(constantClaims).map((name) => [name, words.constant]);
  const groups = [groupsClaim, explained.claims.groups ?? ''];
  return { ...explained.claims, ...Object.fromEntries([...constants, groups]) };
}

function Claims({
  id,
  title,
  text,
  claims,
  meanings,
  children,
}: {
  id: string;
  title: string;
  text?: string;
  claims: Record<string, unknown> | null;
  meanings: Readonly<Record<string, string>>;
  /** Why there are none. */
  children?: string;
}) {
  const rows = Object.entries(claims ?? {}).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
  }));
  return (
    <Card id={id} title={title} text={claims ? text : children}>
      {claims && <Explained caption={words.claimsOf(title)} rows={rows} meanings={meanings} />}
    </Card>
  );
}
