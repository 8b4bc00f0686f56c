import type { Condition, Filter } from './filter.ts';
import { attributeNamed, isOrdered, isRule, keyOf, partKeyOf } from './schema.ts';

/** An entry of the tree, with the values that were read of it, by the names of the schema. */
export type Entry = {
  dn: string;
  values: ReadonlyMap<string, readonly string[]>;
  /** Decides an equality whose values were not read; undefined: they were. */
  decides?: (attribute: string, key: string) => boolean | undefined;
};

/** Active Directory's rule for members of members. Our groups have no groups in them. */
const inChain = '1.2.840.113556.1.4.1941';

/** Whether an entry matches (RFC 4511 section 4.5.1.7); null: it is undefined, which is no match. */
export function matches(filter: Filter, entry: Entry): boolean | null {
  switch (filter.is) {
    case 'and':
    case 'or': {
      const ends = filter.is === 'or';
      let isKnown = true;
      for (const part of filter.of) {
        const found = matches(part, entry);
        if (found === ends) return ends;
        if (found === null) isKnown = false;
      }
      return isKnown ? !ends : null;
    }
    case 'not': {
      const found = matches(filter.of, entry);
      return found === null ? null : !found;
    }
    default:
      return meets(filter, entry);
  }
}

/** What follows from a condition alone, so that it is not made again for each entry. */
const prepared = new WeakMap<Condition, unknown>();

function prepare<T>(condition: Condition, make: () => T): T {
  if (!prepared.has(condition)) prepared.set(condition, make());
  return prepared.get(condition) as T;
}

function meets(condition: Condition, entry: Entry): boolean | null {
  const attribute = attributeNamed(condition.attribute);
  if (attribute === null) return null;
  const values = entry.values.get(attribute) ?? [];
  switch (condition.is) {
    case 'present':
      return values.length > 0;
    case 'equal':
      return isEqual(attribute, condition, entry);
    case 'extensible':
      if (condition.rule !== null && condition.rule !== inChain && !isRule(condition.rule))
        return null;
      return isEqual(attribute, condition, entry);
    case 'substrings':
      return values.some((value) => hasParts(String(keyOf(attribute, value)), condition));
    default:
      return isBeyond(attribute, condition, values);
  }
}

type Valued = Extract<Filter, { value: string }>;

function isEqual(attribute: string, condition: Valued, entry: Entry): boolean | null {
  const key = prepare(condition, () => keyOf(attribute, condition.value));
  if (key === null) return null;
  const decided = entry.decides?.(attribute, String(key));
  if (decided !== undefined) return decided;
  return (entry.values.get(attribute) ?? []).some((value) => keyOf(attribute, value) === key);
}

function isBeyond(attribute: string, condition: Valued, values: readonly string[]): boolean | null {
  const { is, value: sought } = condition;
  const key = prepare(condition, () => keyOf(attribute, sought));
  if (key === null || !isOrdered(attribute)) return null;
  return values.some((value) => {
    const own = keyOf(attribute, value);
    return own !== null && (is === 'atLeast' ? own >= key : own <= key);
  });
}

type Parts = Extract<Filter, { is: 'substrings' }>;

/** Whether a value has these parts in this order, without overlap. In time linear in its length. */
function hasParts(value: string, condition: Parts): boolean {
  const { first, middle, last } = prepare(condition, () => foldedParts(condition));
  if (!value.startsWith(first) || !value.endsWith(last)) return false;
  let at = first.length;
  for (const part of middle) {
    const found = value.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at;
}

function foldedParts({ attribute, initial, any, final }: Parts) {
  const fold = (part: string) => partKeyOf(attributeNamed(attribute) ?? attribute, part);
  return { first: fold(initial ?? ''), middle: any.map(fold), last: fold(final ?? '') };
}
