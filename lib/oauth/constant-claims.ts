import { groupClaims, isReservedClaim } from './reserved-claims.ts';

type Plain = string | number | boolean;

/** The claims that are the same for every user, from what an admin typed. */
export function constantsOf(typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const told = Object.entries(typed).filter(([name]) => mayBeConstant(name));
  return Object.fromEntries(told.map(([name, text]) => [name, constantValue(text)]));
}

/** Whether a constant may have this name: one without a meaning so far, or one for groups. */
export function mayBeConstant(name: string): boolean {
  return groupClaims.includes(name) || !isReservedClaim(name);
}

/**
 * The value of a typed constant: as in JSON true, false, a number, a quoted text, or a list of
 * these. Anything else is plain text, and so is a number that would be written differently, such as
 * 1.10.
 */
export function constantValue(text: string): Plain | Plain[] {
  const value = parsed(text);
  if (typeof value === 'number') return String(value) === text ? value : text;
  if (Array.isArray(value)) return value.every(isPlain) ? value : text;
  return isPlain(value) ? value : text;
}

/** Whether it is JSON that a constant can't be: an object, or a list of more than plain values. */
export function isNested(text: string): boolean {
  const value = parsed(text);
  return typeof value === 'object' && value !== null && !Array.isArray(constantValue(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
