export const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Old Unix's base64: groups of three bytes, the last six bits first. */
export function littleEndian64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3);
    const value = group.reduce((sum, byte, index) => sum + byte * 256 ** index, 0);
    for (let place = 0; place <= group.length; place += 1)
      text += alphabet[Math.floor(value / 64 ** place) % 64];
  }
  return text;
}

/** Bytes. Schemes that read the password in every round would take minutes for more. */
const longest = 256;

/** The first bytes of a password, and whether they are all of it. */
export function cut(password: string): { bytes: Buffer; isWhole: boolean } {
  const bytes = Buffer.from(password);
  return { bytes: bytes.subarray(0, longest), isWhole: bytes.length <= longest };
}
