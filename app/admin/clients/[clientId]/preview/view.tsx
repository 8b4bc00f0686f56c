import type { ClientRecord } from '#lib/management/client/clients.ts';
import { previewWords as words } from '#lib/messages/admin/preview.ts';
import { trialWords as explained } from '#lib/messages/admin/trial.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Input } from '../../../../ui/input.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { clientPage } from '../../../addresses.ts';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { WhichOne } from '../../../ui/match.tsx';
import { Explained } from '../try/raw.tsx';
import { type Preview, scopeField } from './screen.ts';

type Props = { client: ClientRecord; query: Readonly<Record<string, string>>; preview: Preview };

/** What an app would be told about somebody, below the form that asks who it is. */
export function PreviewView({ client, query, preview }: Props) {
  const { scopes, chosen, typed, meant, person, told } = preview;
  const path = clientPage(client.id, 'preview');
  return (
    <>
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
                defaultValue={typed}
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
              {scopes.map((name) => (
                <Checkbox
                  key={name}
                  name={scopeField(name)}
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
      {person && told && <Told client={client} person={person} told={told} />}
    </>
  );
}

type ToldProps = {
  client: ClientRecord;
  person: { label: string };
  told: NonNullable<Preview['told']>;
};

function Told({ client, person, told }: ToldProps) {
  const meanings = meaningsFor(client);
  return (
    <>
      <p>
        <UserText
          text={
            told.allowed
              ? words.allowed(person.label, told.allowed.join(', '))
              : words.none(person.label)
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
