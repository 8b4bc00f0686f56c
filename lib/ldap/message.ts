import {
  type Backwards,
  BadBer,
  Elements,
  element,
  integer,
  octets,
  sequence,
  set,
  tags,
} from './ber.ts';
import { type Filter, readFilter } from './filter.ts';
import { codes, type Result } from './result.ts';

export type Control = { type: string; isCritical: boolean; value: Buffer };

/** An LDAPMessage (RFC 4511 section 4.1.1): its operation is read later. */
export type Message = { id: number; tag: number; body: Buffer; controls: readonly Control[] };

/** The tags of requests, and of the response to each; null: there is none. */
export const requests = {
  bind: 0x60,
  unbind: 0x42,
  search: 0x63,
  modify: 0x66,
  add: 0x68,
  delete: 0x4a,
  rename: 0x6c,
  compare: 0x6e,
  abandon: 0x50,
  extended: 0x77,
} as const;

const responses: Readonly<Record<number, number>> = {
  [requests.bind]: 0x61,
  [requests.search]: 0x65,
  [requests.modify]: 0x67,
  [requests.add]: 0x69,
  [requests.delete]: 0x6b,
  [requests.rename]: 0x6d,
  [requests.compare]: 0x6f,
  [requests.extended]: 0x78,
};

const mostControls = 20;

/** @throws BadBer */
export function readMessage(bytes: Buffer): Message {
  const parts = new Elements(bytes).within(sequence);
  const id = parts.number();
  // 0 is for messages that the server sends by itself.
  if (id <= 0) throw new BadBer('A message has no number.');
  const { tag, content } = parts.next();
  const controls: Control[] = [];
  if (parts.isNext(0xa0)) {
    const list = parts.within(0xa0);
    while (!list.areOver) {
      controls.push(readControl(list.within(sequence)));
      if (controls.length > mostControls) throw new BadBer('A message has too many controls.');
    }
  }
  return { id, tag, body: content, controls };
}

function readControl(parts: Elements): Control {
  const type = parts.text();
  const isCritical = parts.isNext(tags.boolean) && parts.flag();
  return { type, isCritical, value: parts.areOver ? Buffer.alloc(0) : parts.take(tags.octets) };
}

/** The number of the request that a message abandons (RFC 4511 section 4.11); null: of none. */
export const abandonedBy = ({ tag, body }: Message): number | null =>
  tag === requests.abandon && body.length > 0 && body.length <= 4
    ? body.readIntBE(0, body.length)
    : null;

export type Bind = { version: number; name: string; password: string | null };

/** A password that is null: another method than a simple bind (SASL). @throws BadBer */
export function readBind(body: Buffer): Bind {
  const parts = new Elements(body);
  const [version, name] = [parts.number(), parts.text()];
  const { tag, content } = parts.next();
  return { version, name, password: tag === 0x80 ? content.toString('utf8') : null };
}

const scopes = ['base', 'one', 'sub'] as const;
export type Scope = (typeof scopes)[number];

export type Search = {
  base: string;
  scope: Scope;
  /** 0: no limit. */
  most: number;
  /** In seconds; 0: no limit. */
  time: number;
  typesOnly: boolean;
  filter: Filter;
  attributes: readonly string[];
};

const mostAttributes = 1000;

/** @throws BadBer, Refused */
export function readSearch(body: Buffer, isBound: boolean): Search {
  const parts = new Elements(body);
  const base = parts.text();
  const scope = scopes[parts.number(tags.enumerated)];
  if (scope === undefined) throw new BadBer('A search has an unknown scope.');
  parts.number(tags.enumerated);
  const [most, time, typesOnly] = [parts.number(), parts.number(), parts.flag()];
  const filter = readFilter(parts, isBound);
  const list = parts.within(sequence);
  const attributes: string[] = [];
  while (!list.areOver && attributes.length < mostAttributes) attributes.push(list.text());
  return { base, scope, most, time, typesOnly, filter, attributes };
}

/** @throws BadBer */
export function readCompare(body: Buffer): { name: string; attribute: string; value: string } {
  const parts = new Elements(body);
  const name = parts.text();
  const assertion = parts.within(sequence);
  return { name, attribute: assertion.text(), value: assertion.text() };
}

/** @throws BadBer */
export function readExtended(body: Buffer): { name: string; value: Buffer } {
  const parts = new Elements(body);
  const name = parts.text(0x80);
  return { name, value: parts.isNext(0x81) ? parts.take(0x81) : Buffer.alloc(0) };
}

type Answered = { controls?: readonly Buffer[]; more?: readonly Buffer[] };

/** The response that ends an operation; null: it has none. */
export function resultMessage(
  { id, tag }: Pick<Message, 'id' | 'tag'>,
  result: Result,
  { controls = [], more = [] }: Answered = {},
): Buffer | null {
  const answer = responses[tag];
  if (answer === undefined) return null;
  const body = element(answer, ...resultParts(result), ...more);
  return messageOf(id, body, controls);
}

const resultParts = ({ code, says = '', matched = '' }: Result) => [
  integer(codes[code], tags.enumerated),
  octets(matched),
  octets(says),
];

function messageOf(id: number, body: Buffer, controls: readonly Buffer[] = []): Buffer {
  const list = controls.length > 0 ? [element(0xa0, ...controls)] : [];
  return element(sequence, integer(id), body, ...list);
}

/** The notice with which a server ends a connection (RFC 4511 section 4.4.1). */
export const disconnection = (result: Result): Buffer =>
  messageOf(0, element(0x78, ...resultParts(result), octets('1.3.6.1.4.1.1466.20036', 0x8a)));

export const controlOf = (type: string, value: Buffer): Buffer =>
  element(sequence, octets(type), octets(value));

type Sent = {
  dn: string;
  attributes: readonly (readonly [name: string, values: readonly string[]])[];
};

/** Writes an entry of a search, with the attributes that are sent. */
export function writeEntry(out: Backwards, id: number, { dn, attributes }: Sent): void {
  const from = out.size;
  for (const [name, values] of attributes.toReversed()) {
    const end = out.size;
    for (const value of values.toReversed()) out.text(value);
    out.wrap(set, end);
    out.text(name);
    out.wrap(sequence, end);
  }
  out.wrap(sequence, from);
  out.text(dn);
  out.wrap(0x64, from);
  out.put(integer(id));
  out.wrap(sequence, from);
}
