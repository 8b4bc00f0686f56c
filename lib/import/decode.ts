/**
 * The text of a file as spreadsheets write it: UTF-8, UTF-16 with a byte order mark, or else
 * Windows-1252. Other encodings become characters that `readLines` refuses.
 */
export function decodeList(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const text = new TextDecoder().decode(bytes);
  return text.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : text;
}
