import type { Text } from '#lib/messages/text.ts';
import type { Rule } from '#lib/oauth/facts.ts';

/** What to do about what a rule refused; '' where nothing is known of it. */
export const todoOf = (text: Text, rule: Rule): string =>
  rule === 'other' ? '' : text(`attempts.rules.${rule}.todo`);
