import type { MessageKey } from '../../messages/keys.ts';
import { type Facts, type Rule, shownOf } from '../../oauth/facts.ts';

/** What users read about a fault; the values received and expected are for the operator. */
const said = {
  'provider.off': 'with.off',
  'provider.state': 'with.again',
  'provider.refused': 'with.failed',
  'provider.unreachable': 'with.failed',
  'provider.client': 'with.failed',
  'provider.answer': 'with.failed',
  'provider.subject': 'with.failed',
  'provider.domain': 'with.domain',
  'provider.unlinked': 'with.unknown',
} as const satisfies Partial<Record<Rule, MessageKey>>;

export type FaultRule = keyof typeof said;

/** A sign-in, a logout token, an identity assertion or the metadata fails. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  readonly facts: Facts;
  readonly told: MessageKey;

  constructor(rule: FaultRule, reason: string, received?: string, expected?: readonly string[]) {
    super(reason);
    this.facts = {
      rule,
      ...(received !== undefined && { received: shownOf(received) }),
      ...(expected && { expected }),
    };
    this.told = said[rule];
  }
}
