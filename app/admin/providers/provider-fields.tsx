import { Fragment, type ReactNode } from 'react';
import { kinds } from '#lib/identity/upstream/provider-kinds.ts';
import type { ProviderField } from '#lib/management/provider/fields.ts';
import type { ListedProvider } from '#lib/management/provider/providers.ts';
import { pageText } from '../../locale.ts';
import { AreaField, TextField, TickField } from '../ui/forms/fields.tsx';
import { Fold } from '../ui/forms/fold.tsx';

type Props = {
  kind: ListedProvider['kind'];
  /** The existing provider; absent for a new one. */
  provider?: ListedProvider;
};

const code = { spellCheck: false, autoCapitalize: 'none' } as const;
const mono = { ...code, className: 'font-mono' } as const;

type TickWords =
  | 'enabled'
  | 'maySignIn'
  | 'mayRegister'
  | 'secondFactor'
  | 'assertions'
  | 'matches';

export async function ProviderFields({ kind, provider }: Props) {
  const text = await pageText();
  const { name, fixed, issuer, example, secret, protocol, groupsClaim } = kinds[kind];
  const hasGroups = groupsClaim !== undefined || Boolean(provider?.groupsClaim);
  const isApple = secret === 'key';
  const kept = provider?.secret === 'kept';
  const tick = (field: ProviderField, words: TickWords, initial: boolean) => (
    <TickField
      name={field}
      label={text(`providers.${words}`)}
      hint={text(`providers.${words}Hint`)}
      initial={initial}
    />
  );
  const controls: Record<Exclude<ProviderField, 'mark'> | 'secret', ReactNode> = {
    issuer: !fixed && (
      <TextField
        name="issuer"
        label={text(protocol === 'openid' ? 'providers.issuer' : 'providers.address')}
        hint={text('providers.issuerHint', { example: example ?? issuer ?? '' })}
        defaultValue={provider?.issuer ?? issuer ?? ''}
        required
        maxLength={500}
        {...mono}
      />
    ),
    client_id: (
      <TextField
        name="client_id"
        label={text(isApple ? 'providers.servicesId' : 'providers.clientId')}
        defaultValue={provider?.clientId}
        required
        maxLength={300}
        {...mono}
      />
    ),
    apple_team_id: isApple && (
      <TextField
        name="apple_team_id"
        label={text('providers.teamId')}
        defaultValue={provider?.appleTeamId ?? ''}
        required
        maxLength={10}
        {...mono}
      />
    ),
    apple_key_id: isApple && (
      <TextField
        name="apple_key_id"
        label={text('providers.keyId')}
        defaultValue={provider?.appleKeyId ?? ''}
        required
        maxLength={10}
        {...mono}
      />
    ),
    secret: isApple ? (
      <AreaField
        name="secret"
        label={text('providers.privateKey')}
        hint={text(kept ? 'providers.secretKept' : 'providers.privateKeyHint')}
        rows={5}
        optional={kept}
        className="font-mono text-sm!"
        {...code}
      />
    ) : (
      <TextField
        name="secret"
        type="password"
        label={text('providers.secret')}
        hint={text(kept ? 'providers.secretKept' : 'providers.secretHint')}
        autoComplete="new-password"
        optional={kept || secret === 'optional'}
        maxLength={2000}
        {...mono}
      />
    ),
    enabled: tick('enabled', 'enabled', provider?.enabled ?? true),
    may_sign_in: tick('may_sign_in', 'maySignIn', provider?.maySignIn ?? true),
    may_register: tick('may_register', 'mayRegister', provider?.mayRegister ?? false),
    trusts_second_factor:
      protocol === 'openid' &&
      tick('trusts_second_factor', 'secondFactor', provider?.trustsSecondFactor ?? false),
    accepts_assertions:
      protocol === 'openid' &&
      tick('accepts_assertions', 'assertions', provider?.acceptsAssertions ?? false),
    matches_addresses:
      protocol === 'openid' &&
      tick('matches_addresses', 'matches', provider?.matchesAddresses ?? false),
    domains: (
      <AreaField
        name="domains"
        label={text('providers.domains')}
        hint={text(kind === 'google' ? 'providers.domainsHintGoogle' : 'providers.domainsHint')}
        defaultValue={provider?.domains.join('\n') ?? ''}
        rows={2}
        optional
        {...mono}
      />
    ),
    groups_claim: hasGroups && (
      <TextField
        name="groups_claim"
        label={text('providers.groupsClaim')}
        hint={text('providers.groupsClaimHint')}
        placeholder={groupsClaim}
        defaultValue={provider?.groupsClaim ?? ''}
        optional
        maxLength={200}
        {...mono}
      />
    ),
    groups: hasGroups && (
      <AreaField
        name="groups"
        label={text('providers.groups')}
        hint={text('providers.groupsHint')}
        defaultValue={provider ? linesOf(provider) : ''}
        rows={3}
        optional
        {...mono}
      />
    ),
    name: (
      <TextField
        name="name"
        label={text('providers.name')}
        hint={text('providers.nameHint')}
        defaultValue={provider?.name ?? name}
        required
        maxLength={60}
      />
    ),
    button_words: (
      <TextField
        name="button_words"
        label={text('providers.buttonWords')}
        hint={text('providers.buttonWordsHint')}
        defaultValue={provider?.buttonWords ?? ''}
        optional
        maxLength={80}
      />
    ),
    position: (
      <TextField
        name="position"
        label={text('providers.position')}
        hint={text('providers.positionHint')}
        defaultValue={String(provider?.position ?? 0)}
        inputMode="numeric"
        maxLength={4}
      />
    ),
    scopes: (
      <TextField
        name="scopes"
        label={text('providers.scopes')}
        hint={text('providers.scopesHint', { scopes: kinds[kind].scopes.join(' ') })}
        defaultValue={provider?.scopes.join(' ') ?? ''}
        optional
        {...mono}
      />
    ),
  };
  const given = Object.entries(controls).filter(([, control]) => control);
  const first = new Set<string>(['client_id', 'apple_team_id', 'apple_key_id', 'secret']);
  for (const field of ['may_register', 'domains']) first.add(field);
  // Where there is no usual one, these say which provider it is.
  if (issuer === null) for (const field of ['issuer', 'name']) first.add(field);
  const shown = (fields: typeof given) =>
    fields.map(([field, control]) => <Fragment key={field}>{control}</Fragment>);
  const rest = given.filter(([field]) => !first.has(field));
  return (
    <>
      {shown(given.filter(([field]) => first.has(field)))}
      <Fold title={text('providers.further')} names={rest.map(([field]) => field)}>
        {shown(rest)}
      </Fold>
    </>
  );
}

const linesOf = ({ groups, groupNames }: ListedProvider) =>
  groups.map(({ value, groupId }) => `${value} = ${groupNames.get(groupId) ?? ''}`).join('\n');
