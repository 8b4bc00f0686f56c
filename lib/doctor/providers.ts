import { readConnection } from '../identity/upstream/clients.ts';
import type { FaultRule } from '../identity/upstream/fault.ts';
import { faultOf } from '../identity/upstream/faults.ts';
import { listProviders, type Provider } from '../store/providers.ts';
import { type Finding, fine, said, trouble } from './finding.ts';

/** It answers, its issuer is the one stored here, and its secret can be unsealed. */
export async function examineProviders(): Promise<Finding[]> {
  const on = (await listProviders()).filter(({ enabled }) => enabled);
  return Promise.all(on.map(examineProvider));
}

async function examineProvider(provider: Provider): Promise<Finding> {
  const { name, issuer } = provider;
  try {
    await readConnection(provider);
    return fine('provider', `${said(name)} can be asked at ${said(issuer)}.`);
  } catch (error) {
    const fault = faultOf(error, 'provider.unreachable');
    const { rule, received, expected = [] } = fault.facts;
    const compared = [received && `it says ${received}`, ...expected.map((it) => `not ${it}`)];
    const more = compared.filter(Boolean).join(', ');
    return trouble(
      'provider',
      `No one can sign in with ${said(name)}: ${said(fault.message)}${more && ` (${said(more)})`}`,
      fixes[rule as FaultRule] ?? 'Compare its settings here with those at the provider.',
    );
  }
}

const fixes: Partial<Record<FaultRule, string>> = {
  'provider.unreachable':
    'Correct its issuer, or let this server reach it; inside your own network this needs PROVIDERS_AT_PRIVATE_ADDRESSES=on.',
  'provider.client':
    'Enter its issuer exactly as in its /.well-known/openid-configuration, and enter its client secret again if it cannot be decrypted.',
};
