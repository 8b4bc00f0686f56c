/** The bytes are not BER as LDAP uses it (RFC 4511 section 5.1). */
export class BadBer extends Error {
  override readonly name = 'BadBer';
}

/** Universal tags that LDAP uses. */
export const tags = { boolean: 0x01, integer: 0x02, octets: 0x04, enumerated: 0x0a } as const;
export const sequence = 0x30;
export const set = 0x31;

export type Element = { tag: number; content: Buffer };

/**
 * The elements that some bytes consist of, read one after the other. Lengths are definite, and no
 * element reaches beyond the bytes, which are those of its parent. Nothing is copied.
 */
export class Elements {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get areOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Whether the next element has this tag. */
  isNext(tag: number): boolean {
    return this.#bytes[this.#at] === tag;
  }

  /** @throws BadBer if there is none, or it is cut off */
  next(): Element {
    const tag = this.#byte();
    // No element of LDAP needs a tag of several bytes.
    if ((tag & 0x1f) === 0x1f) throw new BadBer('A tag has several bytes.');
    const length = this.#length();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new BadBer('An element is cut off.');
    const content = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return { tag, content };
  }

  /** The content of the next element. @throws BadBer if it has another tag */
  take(tag: number): Buffer {
    if (!this.isNext(tag)) throw new BadBer(`An element with tag ${tag} is missing.`);
    return this.next().content;
  }

  within(tag: number): Elements {
    return new Elements(this.take(tag));
  }

  text(tag: number = tags.octets): string {
    return this.take(tag).toString('utf8');
  }

  /** A number of at most 31 bits: nothing in LDAP is negative. */
  number(tag: number = tags.integer): number {
    const content = this.take(tag);
    if (content.length === 0 || content.length > 4) throw new BadBer('A number has a wrong size.');
    const number = content.readIntBE(0, content.length);
    if (number < 0) throw new BadBer('A number is negative.');
    return number;
  }

  flag(tag: number = tags.boolean): boolean {
    const content = this.take(tag);
    if (content.length !== 1) throw new BadBer('A boolean has a wrong size.');
    return content[0] !== 0;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new BadBer('An element is missing.');
    this.#at += 1;
    return byte;
  }

  #length(): number {
    const short = this.#byte();
    if (short < 0x80) return short;
    const count = short & 0x7f;
    if (count === 0 || count > 4) throw new BadBer('A length cannot be read.');
    let length = 0;
    for (let left = count; left > 0; left--) length = length * 256 + this.#byte();
    return length;
  }
}

/**
 * Elements that are written from the last to the first, so that the length of each is known when its
 * head is due. Nothing is copied, except into a larger buffer when one is full.
 */
export class Backwards {
  #bytes = Buffer.allocUnsafe(8 * 1024);
  #at = this.#bytes.length;

  get bytes(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** How many bytes there are: what is written next ends before them. */
  get size(): number {
    return this.#bytes.length - this.#at;
  }

  put(bytes: Buffer): void {
    this.#makeRoom(bytes.length);
    this.#at -= bytes.length;
    bytes.copy(this.#bytes, this.#at);
  }

  text(value: string, tag: number = tags.octets): void {
    const from = this.size;
    const length = Buffer.byteLength(value);
    this.#makeRoom(length);
    this.#at -= length;
    this.#bytes.write(value, this.#at);
    this.wrap(tag, from);
  }

  /** Makes everything that was written since there were `from` bytes the content of an element. */
  wrap(tag: number, from: number): void {
    this.put(head(tag, this.size - from));
  }

  #makeRoom(length: number): void {
    if (length <= this.#at) return;
    const { bytes } = this;
    const larger = Buffer.allocUnsafe(2 * (bytes.length + length));
    bytes.copy(larger, larger.length - bytes.length);
    this.#at = larger.length - bytes.length;
    this.#bytes = larger;
  }
}

/** An element with this content. */
export function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  return Buffer.concat([head(tag, length), ...parts]);
}

/** The heads of elements of less than 128 bytes, which are most, by their tag and length. */
const shortHeads = new Map<number, Buffer>();

function shortHead(tag: number, length: number): Buffer {
  const key = tag * 0x80 + length;
  const known = shortHeads.get(key) ?? Buffer.from([tag, length]);
  shortHeads.set(key, known);
  return known;
}

function head(tag: number, length: number): Buffer {
  if (length < 0x80) return shortHead(tag, length);
  if (length < 0x100) return Buffer.from([tag, 0x81, length]);
  if (length < 0x10000) return Buffer.from([tag, 0x82, length >> 8, length & 0xff]);
  const bytes = Buffer.from([tag, 0x84, 0, 0, 0, 0]);
  bytes.writeUInt32BE(length, 2);
  return bytes;
}

export function octets(value: string | Buffer, tag: number = tags.octets): Buffer {
  if (typeof value !== 'string') return element(tag, value);
  const length = Buffer.byteLength(value);
  const first = head(tag, length);
  const bytes = Buffer.allocUnsafe(first.length + length);
  first.copy(bytes);
  bytes.write(value, first.length);
  return bytes;
}

/** A number of at most 31 bits that is not negative. */
export function integer(value: number, tag: number = tags.integer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  const zeros = bytes.findIndex((byte, index) => byte !== 0 || index === 3);
  const from = (bytes[zeros] ?? 0) >= 0x80 ? zeros - 1 : zeros;
  return element(tag, bytes.subarray(Math.max(0, from)));
}
