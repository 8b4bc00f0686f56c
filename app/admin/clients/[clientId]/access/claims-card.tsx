import { spokenBy } from '#lib/management/client/client-kinds.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { pairLine } from '#lib/management/pairs.ts';
import { clientFields } from '#lib/oauth/client.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { clientPage } from '../../../addresses.ts';
import { AreaField, ChoiceField, TextField } from '../../../ui/forms/fields.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { ClaimsExample } from './claims-example.tsx';

type Props = { client: ClientRecord };

/** The part of the form about the claims that are special to this app. */
export async function ClaimsCard({ client }: Props) {
  const text = await pageText();
  if (spokenBy(client) === 'ldap') return <LdapGroupsCard client={client} />;
  return (
    <Card
      id="claims"
      title={text('claims.title')}
      text={text('claims.text')}
      actions={
        <QuickLink className="gh-link text-sm" href={clientPage(client.id, 'preview')}>
          {text('claims.preview')}
        </QuickLink>
      }
    >
      <div className="grid gap-5">
        <TextField
          name="groupsClaim"
          label={text('claims.groupsClaim')}
          hint={text('claims.groupsClaimHint')}
          defaultValue={client.groupsClaim}
          asTyped
          required
          maxLength={100}
        />
        <GroupFields client={client} />
        <PairsField client={client} name="constantClaims" />
        <ChoiceField
          name="claimShape"
          legend={text('claims.claimShape')}
          initial={[client.claimShape]}
          options={clientFields.claimShape.of.map((value) => ({
            value,
            label: text(`claims.shapes.${value}.label`),
            hint: text(`claims.shapes.${value}.hint`),
          }))}
        />
        <ClaimsExample client={client} />
      </div>
    </Card>
  );
}

/** The groups that an app finds at the LDAP server; its other claims are kept as they are. */
async function LdapGroupsCard({ client }: Props) {
  const text = await pageText();
  const { groupsClaim, claimShape, constantClaims } = client;
  const kept = Object.entries(constantClaims).map(pairLine).join('\n');
  return (
    <Card id="claims" title={text('claims.ldapTitle')} text={text('claims.ldapText')}>
      <Hidden fields={{ groupsClaim, claimShape, constantClaims: kept }} />
      <div className="grid gap-5">
        <GroupFields client={client} />
      </div>
    </Card>
  );
}

/** Which groups an app learns of, and under which names. */
async function GroupFields({ client }: Props) {
  const text = await pageText();
  return (
    <>
      <TextField
        name="groupsPrefix"
        label={text('claims.groupsPrefix')}
        hint={text('claims.groupsPrefixHint')}
        defaultValue={client.groupsPrefix ?? ''}
        asTyped
        optional
        maxLength={100}
      />
      <PairsField client={client} name="groupNames" />
    </>
  );
}

/** A text area with one line per pair. */
async function PairsField({ client, name }: Props & { name: 'groupNames' | 'constantClaims' }) {
  const text = await pageText();
  return (
    <AreaField
      name={name}
      label={text(`claims.${name}`)}
      hint={text(`claims.${name}Hint`)}
      defaultValue={Object.entries(client[name]).map(pairLine).join('\n')}
      asTyped
      optional
      rows={3}
      className="font-mono"
    />
  );
}
