/** Types of attributes by their numbers and long names, as in RFC 4514 section 3 and RFC 4519. */
const types: Readonly<Record<string, string>> = {
  '2.5.4.3': 'cn',
  commonname: 'cn',
  '2.5.4.6': 'c',
  countryname: 'c',
  '2.5.4.7': 'l',
  localityname: 'l',
  '2.5.4.8': 'st',
  stateorprovincename: 'st',
  '2.5.4.10': 'o',
  organizationname: 'o',
  '2.5.4.11': 'ou',
  organizationalunitname: 'ou',
  '0.9.2342.19200300.100.1.1': 'uid',
  userid: 'uid',
  '0.9.2342.19200300.100.1.25': 'dc',
  domaincomponent: 'dc',
};

/**
 * A DN in normal form, in which two spellings of the same DN are equal: lower case, without spaces
 * around `,`, `+` and `=`, with `;` and quotes as RFC 2253 section 4 allows them, and with every
 * escaped byte (RFC 4514 section 2.4) read, unless it would mean something else then.
 * @param fold what becomes of the values
 */
export function dnKey(dn: string, fold = (value: string) => value.toLowerCase()): string {
  const parts: string[] = [];
  let [type, value, isQuoted] = ['', new Value(), false];
  let isType = true;
  const end = () => {
    const name = type
      .trim()
      .toLowerCase()
      .replace(/^oid\./, '');
    parts.push(isType ? name : `${types[name] ?? name}=${fold(value.text())}`);
    [type, value, isType] = ['', new Value(), true];
  };
  const signs = [...dn];
  for (let at = 0; at < signs.length; at += 1) {
    const sign = signs[at] ?? '';
    if (sign === '\\') {
      const next = signs.slice(at + 1, at + 3).join('');
      const hex = /^[0-9a-fA-F]{2}$/.test(next);
      value.escaped(hex ? Buffer.from(next, 'hex') : Buffer.from(signs[at + 1] ?? ''));
      at += hex ? 2 : 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) value.escaped(Buffer.from(sign));
    else if (sign === ',' || sign === ';' || sign === '+') {
      end();
      parts.push(sign === '+' ? '+' : ',');
    } else if (sign === '=' && isType) isType = false;
    else if (isType) type += sign;
    else value.plain(sign);
  }
  end();
  return parts.join('');
}

/** The value of an attribute while it is read. */
class Value {
  #text = '';
  #bytes: Buffer[] = [];
  /** Up to where spaces at the end belong to the value. */
  #kept = 0;

  plain(sign: string): void {
    this.#flush();
    if (sign !== ' ' || this.#text !== '') this.#text += sign;
  }

  escaped(bytes: Buffer): void {
    this.#bytes.push(bytes);
  }

  text(): string {
    this.#flush();
    const free = this.#text.slice(this.#kept).trimEnd();
    return this.#text.slice(0, this.#kept) + free;
  }

  /** What an escape protects stays in hexadecimal. */
  #flush(): void {
    if (this.#bytes.length === 0) return;
    const read = Buffer.concat(this.#bytes).toString();
    this.#text += read.replace(
      /[ ,+"\\<>;=#\0]/g,
      (sign) => `\\${Buffer.from(sign).toString('hex')}`,
    );
    this.#bytes = [];
    this.#kept = this.#text.length;
  }
}
