import type { ClientRecord } from '#lib/management/client/clients.ts';
import { pairLine } from '#lib/management/pairs.ts';
import { claimsWords as words } from '#lib/messages/admin/claims.ts';
import { clientFields } from '#lib/oauth/client.ts';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { clientPage } from '../../../addresses.ts';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { AreaField, ChoiceField, TextField } from '../../../ui/forms/fields.tsx';
import { Seen } from '../../../ui/forms/seen.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { saveClaims } from '../../own-form-actions.ts';
import { ClaimsExample } from './claims-example.tsx';

type Props = { client: ClientRecord };

/** What an app is told about people in its own way. */
export function ClaimsCard({ client }: Props) {
  return (
    <Card
      id="claims"
      title={words.title}
      text={words.text}
      actions={
        <QuickLink className="gh-link text-sm" href={clientPage(client.id, 'preview')}>
          {words.preview}
        </QuickLink>
      }
    >
      <ActionForm action={saveClaims} label={words.title} className="grid gap-5">
        <Hidden fields={{ client: client.id }} />
        <Seen value={String(client.updatedAt.getTime())} />
        <GroupFields client={client} />
        <PairsField client={client} name="constantClaims" />
        <ChoiceField
          name="claimShape"
          legend={words.claimShape}
          initial={[client.claimShape]}
          options={clientFields.claimShape.of.map((value) => ({ value, ...words.shapes[value] }))}
        />
        <ClaimsExample client={client} />
        <div>
          <Submit kind="secondary">{words.save}</Submit>
        </div>
      </ActionForm>
    </Card>
  );
}

function GroupFields({ client }: Props) {
  return (
    <>
      <TextField
        name="groupsClaim"
        label={words.groupsClaim}
        hint={words.groupsClaimHint}
        defaultValue={client.groupsClaim}
        {...asTyped}
        required
        maxLength={100}
      />
      <TextField
        name="groupsPrefix"
        label={words.groupsPrefix}
        hint={words.groupsPrefixHint}
        defaultValue={client.groupsPrefix ?? ''}
        {...asTyped}
        optional
        maxLength={100}
      />
      <PairsField client={client} name="groupNames" />
    </>
  );
}

/** A line for each pair. */
function PairsField({ client, name }: Props & { name: 'groupNames' | 'constantClaims' }) {
  return (
    <AreaField
      name={name}
      label={words[name]}
      hint={words[`${name}Hint`]}
      defaultValue={Object.entries(client[name]).map(pairLine).join('\n')}
      {...asTyped}
      optional
      rows={3}
      className="font-mono"
    />
  );
}

const asTyped = { autoCapitalize: 'none', spellCheck: false } as const;
