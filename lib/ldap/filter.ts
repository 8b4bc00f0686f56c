import { BadBer, type Element, Elements } from './ber.ts';
import { Refused } from './result.ts';

type Assertion = { attribute: string; value: string };

/** A search filter (RFC 4511 section 4.5.1.7). */
export type Filter =
  | { is: 'and' | 'or'; of: readonly Filter[] }
  | { is: 'not'; of: Filter }
  | ({ is: 'equal' | 'atLeast' | 'atMost' } & Assertion)
  | { is: 'present'; attribute: string }
  | {
      is: 'substrings';
      attribute: string;
      initial: string | null;
      any: readonly string[];
      final: string | null;
    }
  | { is: 'extensible'; rule: string | null; attribute: string; value: string; ofName: boolean };

/** A filter without others in it. */
export type Condition = Exclude<Filter, { of: unknown }>;

/**
 * How deep a filter may be nested and of how many parts it may consist, of those who have bound and
 * of those who have not, and how long (bytes) each part is.
 */
const mostBound = { depth: 16, parts: 300 };
const mostUnbound = { depth: 4, parts: 20 };
const longest = 2000;

/** @throws BadBer; Refused if it is nested too deeply or too long */
export function readFilter(elements: Elements, isBound: boolean): Filter {
  const { depth, parts } = isBound ? mostBound : mostUnbound;
  return filterIn(elements.next(), { left: parts }, depth);
}

function filterIn({ tag, content }: Element, budget: { left: number }, depth: number): Filter {
  budget.left -= 1;
  if (depth === 0 || budget.left < 0)
    throw new Refused(
      'adminLimitExceeded',
      `The filter is too large: at most ${mostBound.parts} parts, nested ${mostBound.depth} deep; before a bind ${mostUnbound.parts} and ${mostUnbound.depth}.`,
    );
  const isSingle = tag < 0xa0 || tag > 0xa2;
  if (isSingle && content.length > longest)
    throw new Refused('adminLimitExceeded', 'A value in the filter is too long.');
  const elements = new Elements(content);
  switch (tag) {
    case 0xa0:
    case 0xa1: {
      const of: Filter[] = [];
      while (!elements.areOver) of.push(filterIn(elements.next(), budget, depth - 1));
      return { is: tag === 0xa0 ? 'and' : 'or', of };
    }
    case 0xa2:
      return { is: 'not', of: filterIn(elements.next(), budget, depth - 1) };
    // An approximate match (0xa8) may be answered as an equal one.
    case 0xa3:
    case 0xa8:
      return { is: 'equal', ...assertionIn(elements) };
    case 0xa4:
      return substringsIn(elements, budget);
    case 0xa5:
      return { is: 'atLeast', ...assertionIn(elements) };
    case 0xa6:
      return { is: 'atMost', ...assertionIn(elements) };
    case 0x87:
      return { is: 'present', attribute: content.toString('utf8') };
    case 0xa9:
      return extensibleIn(elements);
    default:
      throw new BadBer('A filter has an unknown kind.');
  }
}

function assertionIn(elements: Elements): Assertion {
  return { attribute: elements.text(), value: elements.text() };
}

function substringsIn(elements: Elements, budget: { left: number }): Filter {
  const attribute = elements.text();
  const parts = elements.within(0x30);
  let initial: string | null = null;
  let final: string | null = null;
  const any: string[] = [];
  while (!parts.areOver) {
    budget.left -= 1;
    const { tag, content } = parts.next();
    const text = content.toString('utf8');
    if (tag === 0x80) initial = text;
    else if (tag === 0x81) any.push(text);
    else if (tag === 0x82) final = text;
    else throw new BadBer('A part of a value has an unknown kind.');
  }
  return { is: 'substrings', attribute, initial, any, final };
}

function extensibleIn(elements: Elements): Filter {
  const rule = elements.isNext(0x81) ? elements.text(0x81) : null;
  const attribute = elements.isNext(0x82) ? elements.text(0x82) : '';
  const value = elements.text(0x83);
  const ofName = elements.isNext(0x84) && elements.flag(0x84);
  return { is: 'extensible', rule, attribute, value, ofName };
}

/** A filter as people write it (RFC 4515), without what could be a password. */
export function filterText(filter: Filter): string {
  switch (filter.is) {
    case 'and':
    case 'or':
      return `(${filter.is === 'and' ? '&' : '|'}${filter.of.map(filterText).join('')})`;
    case 'not':
      return `(!${filterText(filter.of)})`;
    case 'present':
      return `(${filter.attribute}=*)`;
    case 'substrings': {
      const { attribute, initial, any, final } = filter;
      return `(${attribute}=${[initial ?? '', ...any, final ?? ''].map((part) => written(part, attribute)).join('*')})`;
    }
    case 'extensible': {
      const { attribute, ofName, rule, value } = filter;
      return `(${attribute}${ofName ? ':dn' : ''}${rule === null ? '' : `:${rule}`}:=${written(value, attribute)})`;
    }
    default: {
      const sign = { equal: '=', atLeast: '>=', atMost: '<=' }[filter.is];
      return `(${filter.attribute}${sign}${written(filter.value, filter.attribute)})`;
    }
  }
}

const written = (value: string, attribute: string) =>
  /passw|pwd|secret/i.test(attribute)
    ? '…'
    : value.replace(/[*()\\\0]/g, (sign) => `\\${Buffer.from(sign).toString('hex')}`);

/** The ids that a value of a filter names, by its attribute and its key. */
export type Named = ReadonlyMap<string, readonly string[]>;
export const nameOf = (attribute: string, key: string) => `${attribute} ${key}`;

/** Every single condition in a filter. */
export function* conditionsIn(filter: Filter): Generator<Condition> {
  if (!('of' in filter)) yield filter;
  else if (filter.is === 'not') yield* conditionsIn(filter.of);
  else for (const part of filter.of) yield* conditionsIn(part);
}
