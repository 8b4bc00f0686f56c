import { constantsOf, isNested, mayBeConstant } from '../../oauth/constant-claims.ts';
import { claimName } from '../../oauth/reserved-claims.ts';
import type { Rule, RuleContext } from './client-rules.ts';

/*
 * Which of the operator's own names and values an app may hear. Texts stand in tokens and on pages: they are
 * printable, and there are only so many.
 */

const mostGroupNames = 200;
const mostConstants = 50;
/** In bytes of JSON: they are in each ID token, where there has to be room for groups. */
const constantRoom = 1000;

const isPrintable = (text: string, most: number) =>
  text.length <= most && /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text);
const shown = (text: string) => `“${text.slice(0, 60)}”`;

export const groupsClaimFault: Rule<string> = (name, _, { fields }) => {
  if (!claimName.test(name))
    return 'Enter a claim name of 1 to 100 letters, digits or signs, without spaces and equals signs.';
  if (!mayBeConstant(name)) return `${shown(name)} means something else. Choose another name.`;
  return fieldFault(name, fields);
};

/** People may fill in a field: what it holds must not pass for what was decided for the app. */
function fieldFault(name: string, fields: RuleContext['fields']): string | undefined {
  const field = fields.find((each) => each.name === name);
  return field && `${shown(name)} is the field “${field.label}” of people. Choose another name.`;
}

export const groupsPrefixFault: Rule<string | null> = (prefix) =>
  prefix !== null && !isPrintable(prefix, 100) && 'Enter a beginning of up to 100 characters.';

type Pairs = Readonly<Record<string, string>>;

export const groupNamesFault: Rule<Pairs> = (pairs) => {
  const entries = Object.entries(pairs);
  if (entries.length > mostGroupNames) return `List up to ${mostGroupNames} groups.`;
  for (const [group, told] of entries) {
    if (group === '') return `Say which group the app calls ${shown(told)}.`;
    if (told === '') return `Say what the app is told instead of ${shown(group)}.`;
    // As for the names of groups themselves.
    if (told.includes(',')) return `Leave out the comma in ${shown(told)}: apps split lists at it.`;
    if (!isPrintable(group, 200) || !isPrintable(told, 200))
      return `${shown(group)}: use up to 200 characters, without control characters.`;
  }
  return null;
};

export const constantClaimsFault: Rule<Pairs> = (pairs, { groupsClaim }, { fields }) => {
  const entries = Object.entries(pairs);
  if (entries.length > mostConstants) return `List up to ${mostConstants} claims.`;
  for (const [name, value] of entries) {
    const fault = constantFault(name, value, groupsClaim) ?? fieldFault(name, fields);
    if (fault) return fault;
  }
  return (
    Buffer.byteLength(JSON.stringify(constantsOf(pairs))) > constantRoom &&
    `These claims are in each ID token. Together they may have ${constantRoom} bytes.`
  );
};

function constantFault(name: string, value: string, groupsClaim: string): string | undefined {
  if (name === '') return `Say which claim is ${shown(value)}.`;
  if (value === '') return `Say what ${shown(name)} is.`;
  if (!claimName.test(name))
    return `${shown(name)}: use 1 to 100 letters, digits or signs, without spaces and equals signs.`;
  if (!mayBeConstant(name)) return `${shown(name)} means something else. Choose another name.`;
  if (name === groupsClaim) return `${shown(name)} holds the groups. Choose another name.`;
  if (!isPrintable(value, constantRoom)) return `${shown(name)}: leave out control characters.`;
  if (isNested(value))
    return `${shown(name)}: use a text, a number, true, false or a list of these.`;
  return undefined;
}
