/**
 * A DN in normal form, in which two spellings of the same DN are equal: lower case, without spaces
 * around `,`, `+` and `=`, and with every escaped character (RFC 4514 section 2.4) written as two
 * hex digits.
 */
export function dnKey(dn: string): string {
  const parts: string[] = [];
  let part = '';
  const end = (separator: string) => {
    parts.push(part.trim(), separator);
    part = '';
  };
  for (let at = 0; at < dn.length; at += 1) {
    const sign = dn.charAt(at);
    if (sign === '\\') {
      const hex = /^[0-9a-fA-F]{2}/.exec(dn.slice(at + 1, at + 3))?.[0];
      const escaped = hex ?? Buffer.from(dn.charAt(at + 1)).toString('hex');
      part += `\\${escaped}`;
      at += hex ? 2 : 1;
    } else if (sign === ',' || sign === '+' || (sign === '=' && !part.includes('='))) {
      if (sign === '=') part = `${part.trim()}=`;
      else end(sign);
      if (sign === '=') at += spacesAfter(dn, at);
    } else part += sign;
  }
  parts.push(part.trim());
  return parts.join('').toLowerCase();
}

function spacesAfter(dn: string, at: number): number {
  let count = 0;
  while (dn.charAt(at + 1 + count) === ' ') count += 1;
  return count;
}
