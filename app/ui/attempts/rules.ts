import type { Text } from '#lib/messages/text.ts';
import type { Rule } from '#lib/oauth/facts.ts';

/** What to do when this rule has refused a request; '' if the rule is unknown. */
export const todoOf = (text: Text, rule: Rule): string =>
  rule === 'other' ? '' : text(`attempts.rules.${rule}.todo`);
