import { pairLine } from '#lib/management/pairs.ts';
import type { ClientSettings, FederatedCredential } from '#lib/oauth/client.ts';
import { pageText } from '../../locale.ts';
import { AreaField, TextField, TickField } from '../ui/forms/fields.tsx';
import { FederatedFrame } from './federated-frame.tsx';
import { federatedField } from './federated-names.ts';

/** An example: a job of GitHub Actions. */
const example = {
  issuer: 'https://token.actions.githubusercontent.com',
  claims: 'sub = repo:acme/site:ref:refs/heads/main',
};

type Props = Pick<ClientSettings, 'federatedCredentials'>;

/**
 * The issuers whose JWTs prove the identity of an app: the existing ones, and room for one more.
 */
export async function FederatedFields({ federatedCredentials: credentials }: Props) {
  const text = await pageText();
  const rows = [...credentials, null];
  return (
    <FederatedFrame
      title={text('clients.federated')}
      hint={text('clients.federatedHint')}
      rows={rows.length}
      open={credentials.length > 0}
    >
      {rows.map((credential, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: only its position identifies a rule
        <Rule key={index} credential={credential} index={index} />
      ))}
    </FederatedFrame>
  );
}

type RuleProps = { credential: FederatedCredential | null; index: number };

async function Rule({ credential, index }: RuleProps) {
  const text = await pageText();
  const claims = Object.entries(credential?.claims ?? {}).map(pairLine);
  return (
    <div className="grid gap-4 rounded-xl border border-line p-4">
      <TextField
        name={federatedField(index, 'issuer')}
        type="url"
        label={text('clients.federatedIssuer')}
        hint={credential ? text('clients.federatedGone') : undefined}
        placeholder={example.issuer}
        defaultValue={credential?.issuer ?? ''}
        optional
        maxLength={500}
      />
      <AreaField
        name={federatedField(index, 'claims')}
        label={text('clients.federatedClaims')}
        hint={text('clients.federatedClaimsHint')}
        placeholder={example.claims}
        defaultValue={claims.join('\n')}
        optional
        rows={3}
        maxLength={6000}
        asTyped
      />
      <TextField
        name={federatedField(index, 'keys')}
        type="url"
        label={text('clients.federatedKeys')}
        hint={text('clients.federatedKeysHint')}
        defaultValue={credential?.keys ?? ''}
        optional
        maxLength={500}
      />
      <TickField
        name={federatedField(index, 'reusable')}
        label={text('clients.federatedReusable')}
        hint={text('clients.federatedReusableHint')}
        initial={credential?.reusable ?? false}
      />
    </div>
  );
}
