import { readConnection } from '../identity/upstream/clients.ts';
import type { FaultRule } from '../identity/upstream/fault.ts';
import { faultOf } from '../identity/upstream/faults.ts';
import { listProviders, type Provider } from '../store/providers.ts';
import { type Finding, fine, said, trouble } from './finding.ts';

/**
 * Checks every enabled provider: it answers, its issuer is the one stored here, and its secret can
 * be unsealed.
 */
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
      `Nobody can sign in with ${said(name)}: ${said(fault.message)}${more && ` (${said(more)})`}`,
      fixes[rule as FaultRule] ?? 'Compare its record with what stands there.',
    );
  }
}

const fixes: Partial<Record<FaultRule, string>> = {
  'provider.unreachable':
    'Correct its issuer, or let this server reach it; inside of your own network it takes PROVIDERS_AT_PRIVATE_ADDRESSES=on.',
  'provider.client':
    'Enter its issuer as it calls itself in /.well-known/openid-configuration, and its client secret again if it does not open.',
};
