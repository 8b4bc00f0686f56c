import { type Sentence, sentence } from '../../messages/sentence.ts';
import { constantsOf, isNested, mayBeConstant } from '../../oauth/constant-claims.ts';
import { isSoundName } from '../../oauth/name.ts';
import { claimName } from '../../oauth/reserved-claims.ts';
import type { Rule, RuleContext } from './client-rules.ts';

/*
 * Which of the operator's own names and values an app may be told. They go into tokens and onto
 * pages, so they must be printable and limited in number.
 */

const mostGroupNames = 200;
const mostConstants = 50;
/** Bytes of JSON. Constants are in every ID token, where there has to be room for groups. */
const constantRoom = 1000;

const shown = (text: string) => text.slice(0, 60);

export const groupsClaimFault: Rule<string> = (name, _, { fields }) => {
  if (!claimName.test(name)) return sentence('refused.claim.name');
  if (!mayBeConstant(name)) return sentence('refused.claim.reserved', { name: shown(name) });
  return fieldFault(name, fields);
};

/** People may fill in fields: their claims must not pass for what an admin set. */
function fieldFault(name: string, fields: RuleContext['fields']): Sentence | undefined {
  const field = fields.find((each) => each.name === name);
  return field && sentence('refused.claim.field', { name: shown(name), label: field.label });
}

export const groupsPrefixFault: Rule<string | null> = (prefix) =>
  prefix !== null && !isSoundName(prefix, 100) && sentence('refused.claim.prefix');

type Pairs = Readonly<Record<string, string>>;

export const groupNamesFault: Rule<Pairs> = (pairs) => {
  const entries = Object.entries(pairs);
  if (entries.length > mostGroupNames)
    return sentence('refused.claim.tooManyGroups', { most: mostGroupNames });
  for (const [group, told] of entries) {
    if (group === '') return sentence('refused.claim.whichGroup', { told: shown(told) });
    if (told === '') return sentence('refused.claim.whatGroup', { group: shown(group) });
    // The names of groups themselves have no commas either.
    if (told.includes(',')) return sentence('refused.claim.comma', { told: shown(told) });
    if (!isSoundName(group, 200) || !isSoundName(told, 200))
      return sentence('refused.claim.printable', { name: shown(group) });
  }
  return null;
};

export const constantClaimsFault: Rule<Pairs> = (pairs, { groupsClaim }, { fields }) => {
  const entries = Object.entries(pairs);
  if (entries.length > mostConstants)
    return sentence('refused.claim.tooMany', { most: mostConstants });
  for (const [name, value] of entries) {
    const fault = constantFault(name, value, groupsClaim) ?? fieldFault(name, fields);
    if (fault) return fault;
  }
  return (
    Buffer.byteLength(JSON.stringify(constantsOf(pairs))) > constantRoom &&
    sentence('refused.claim.room', { most: String(constantRoom) })
  );
};

function constantFault(name: string, value: string, groupsClaim: string): Sentence | undefined {
  if (name === '') return sentence('refused.claim.which', { value: shown(value) });
  const said = { name: shown(name) };
  if (value === '') return sentence('refused.claim.what', said);
  if (!claimName.test(name)) return sentence('refused.claim.nameOf', said);
  if (!mayBeConstant(name)) return sentence('refused.claim.reserved', said);
  if (name === groupsClaim) return sentence('refused.claim.groups', said);
  if (!isSoundName(value, constantRoom)) return sentence('refused.claim.control', said);
  return isNested(value) ? sentence('refused.claim.nested', said) : undefined;
}
