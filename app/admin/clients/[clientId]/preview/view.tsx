import type { ClientRecord } from '#lib/management/client/clients.ts';
import type { Text } from '#lib/messages/text.ts';
import { mostGroupsInToken, ownRoom } from '#lib/oauth/id-token-room.ts';
import { pageText } from '../../../../locale.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Input } from '../../../../ui/input.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { clientPage } from '../../../addresses.ts';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { WhichOne } from '../../../ui/match.tsx';
import { claimMeanings } from '../try/meanings.ts';
import { Explained } from '../try/raw.tsx';
import { type Preview, scopeField } from './screen.ts';

type Props = { client: ClientRecord; query: Readonly<Record<string, string>>; preview: Preview };

/** What an app would get about a person, below the form to choose the person. */
export async function PreviewView({ client, query, preview }: Props) {
  const text = await pageText();
  const { scopes, chosen, typed, meant, person, told } = preview;
  const path = clientPage(client.id, 'preview');
  return (
    <>
      <div>
        <h2 className="text-xl font-semibold tracking-tight">{text('preview.title')}</h2>
        <p className="mt-1 text-ink-soft">{text('preview.lead')}</p>
      </div>
      <Card id="who">
        <form action={path} className="grid gap-5 sm:max-w-xl" aria-label={text('preview.title')}>
          <Field name="person" label={text('preview.person')} hint={text('preview.personHint')}>
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
            <legend className="font-semibold">{text('preview.scopes')}</legend>
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
            <Button>{text('preview.show')}</Button>
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

async function Told({ client, person, told }: ToldProps) {
  const text = await pageText();
  const meanings = meaningsFor(text, client);
  return (
    <>
      <p>
        <UserText
          text={
            told.allowed
              ? text('preview.allowed', { username: person.label, scopes: told.allowed.join(', ') })
              : text('preview.none', { username: person.label })
          }
        />
      </p>
      {told.keptOut && (
        <AdminNotice kind="warning">
          <UserText text={text(`preview.keptOut.${told.keptOut}`, { username: person.label })} />
        </AdminNotice>
      )}
      <Claims
        id="id-token"
        title={text('preview.idToken')}
        claims={told.idToken}
        text={text('preview.idTokenText')}
        meanings={meanings}
      >
        {text('preview.noIdToken')}
      </Claims>
      {told.idToken && told.leftOut.length > 0 && (
        <AdminNotice kind="info">
          {told.leftOut.map((what) => leftOutText(text, what)).join(' ')}
        </AdminNotice>
      )}
      <Claims
        id="userinfo"
        title={text('preview.userinfo')}
        claims={told.userInformation}
        meanings={meanings}
      />
      <Claims
        id="introspection"
        title={text('preview.introspection')}
        claims={told.introspection}
        meanings={meanings}
      >
        {text('preview.noIntrospection')}
      </Claims>
    </>
  );
}

/** The claims that an admin has named for this app are explained, too. */
function meaningsFor(text: Text, { groupsClaim, constantClaims }: ClientRecord) {
  const constants = Object.keys(constantClaims).map((name) => [name, text('preview.constant')]);
  const groups = [groupsClaim, text('trial.claims.groups')];
  return { ...claimMeanings(text), ...Object.fromEntries([...constants, groups]) };
}

function leftOutText(text: Text, what: 'groups' | 'fields'): string {
  return what === 'groups'
    ? text('preview.leftOut.groups', { groups: mostGroupsInToken, bytes: ownRoom })
    : text('preview.leftOut.fields');
}

async function Claims({
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
  /** Shown instead if there are no claims, to say why. */
  children?: string;
}) {
  const words = await pageText();
  const rows = Object.entries(claims ?? {}).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
  }));
  return (
    <Card id={id} title={title} text={claims ? text : children}>
      {claims && (
        <Explained caption={words('preview.claimsOf', { title })} rows={rows} meanings={meanings} />
      )}
    </Card>
  );
}
