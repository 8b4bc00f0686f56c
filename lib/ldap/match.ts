import type { Condition, Filter } from './filter.ts';
import { namesIn } from './names.ts';
import { attributeNamed, isOrdered, isRule, keyOf, partKeyOf } from './schema.ts';

/** An entry of the tree, with the values that were read of it, by the names of the schema. */
export type Entry = {
  dn: string;
  values: ReadonlyMap<string, readonly string[]>;
  /** Decides an equality whose values were not read; undefined: they were. */
  decides?: (attribute: string, key: string) => boolean | undefined;
};

/**
 * Whether an entry matches (RFC 4511 section 4.5.1.7); null: it is undefined, which is no match.
 */
type Test = (entry: Entry) => boolean | null;

/** Active Directory's rule for members of members. Our groups have no groups in them. */
const inChain = '1.2.840.113556.1.4.1941';

/** Whether entries match a filter. What does not depend on them is worked out here, once. */
export function matcherOf(filter: Filter): (entry: Entry) => boolean {
  const test = testOf(filter, keysOfOne());
  return (entry) => test(entry) === true;
}

type Key = string | number | null;
type Keys = (entry: Entry, attribute: string) => readonly Key[];

/** The keys of values, which are kept while conditions ask for those of the same entry. */
function keysOfOne(): Keys {
  let one: Entry | null = null;
  const made = new Map<string, readonly Key[]>();
  return (entry, attribute) => {
    if (entry !== one) made.clear();
    one = entry;
    const known = made.get(attribute);
    if (known) return known;
    const keys = (entry.values.get(attribute) ?? []).map((value) => keyOf(attribute, value));
    made.set(attribute, keys);
    return keys;
  };
}

function testOf(filter: Filter, keys: Keys): Test {
  switch (filter.is) {
    case 'and':
    case 'or':
      return joined(
        filter.of.map((part) => testOf(part, keys)),
        filter.is === 'or',
      );
    case 'not': {
      const test = testOf(filter.of, keys);
      return (entry) => {
        const found = test(entry);
        return found === null ? null : !found;
      };
    }
    default:
      return conditionOf(filter, keys);
  }
}

/** @param ends what one part has to be so that it decides for all */
function joined(tests: readonly Test[], ends: boolean): Test {
  return (entry) => {
    let isKnown = true;
    for (const test of tests) {
      const found = test(entry);
      if (found === ends) return ends;
      if (found === null) isKnown = false;
    }
    return isKnown ? !ends : null;
  };
}

const never: Test = () => null;

function conditionOf(condition: Condition, keys: Keys): Test {
  const attribute = attributeNamed(condition.attribute);
  if (attribute === null) return never;
  switch (condition.is) {
    case 'present':
      return ({ values }) => values.has(attribute);
    case 'substrings': {
      const parts = foldedParts(attribute, condition);
      return (entry) => keys(entry, attribute).some((key) => hasParts(String(key), parts));
    }
    case 'equal':
      return equal(attribute, keyOf(attribute, condition.value), keys);
    case 'extensible':
      return extensible(attribute, condition, keys);
    default:
      return beyond(attribute, condition, keys);
  }
}

function equal(attribute: string, key: Key, keys: Keys): Test {
  if (key === null) return never;
  return (entry) => entry.decides?.(attribute, String(key)) ?? keys(entry, attribute).includes(key);
}

type Extensible = Extract<Filter, { is: 'extensible' }>;

function extensible(attribute: string, { rule, value, ofName }: Extensible, keys: Keys): Test {
  if (rule !== null && rule !== inChain && !isRule(rule)) return never;
  const key = keyOf(attribute, value);
  const test = equal(attribute, key, keys);
  if (!ofName || key === null) return test;
  const isNamed = ({ dn }: Entry) =>
    namesIn(dn).some(
      (name) => attributeNamed(name.type) === attribute && keyOf(attribute, name.value) === key,
    );
  return (entry) => test(entry) || isNamed(entry);
}

type Ordered = { is: 'equal' | 'atLeast' | 'atMost'; value: string };

function beyond(attribute: string, { is, value }: Ordered, keys: Keys): Test {
  const key = keyOf(attribute, value);
  if (key === null || !isOrdered(attribute)) return never;
  return (entry) =>
    keys(entry, attribute).some(
      (own) => own !== null && (is === 'atLeast' ? own >= key : own <= key),
    );
}

type Parts = { first: string; middle: readonly string[]; last: string };

/** Whether a value has these parts in this order, without overlap. In time linear in its length. */
function hasParts(value: string, { first, middle, last }: Parts): boolean {
  if (!value.startsWith(first) || !value.endsWith(last)) return false;
  let at = first.length;
  for (const part of middle) {
    const found = value.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at;
}

type Substrings = Extract<Filter, { is: 'substrings' }>;

function foldedParts(attribute: string, { initial, any, final }: Substrings): Parts {
  const fold = (part: string) => partKeyOf(attribute, part);
  return { first: fold(initial ?? ''), middle: any.map(fold), last: fold(final ?? '') };
}
