/** A mail as a mail program shows it. */
export type Mail = {
  raw: string;
  /** Recipients of the envelope. */
  to: string[];
  from: string;
  headers: Map<string, string[]>;
  subject: string;
  text: string;
  html: string;
  /** The first address of our own server in the text. */
  link: string;
  /** A test has already taken it. */
  read: boolean;
};

/** Parses a mail in the form nodemailer writes: two alternatives, quoted-printable or base64. */
export function parseMail({ raw, to, from }: { raw: string; to: string[]; from: string }): Mail {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')));
  const part = (type: string) => {
    const found = parts.find((each) => each.headers.get('content-type')?.[0]?.startsWith(type));
    return found
      ? decode(found.body, found.headers.get('content-transfer-encoding')?.[0] ?? '7bit')
      : '';
  };
  const [text, html] = [part('text/plain'), part('text/html')];
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? '';
  return {
    raw,
    to,
    from,
    headers,
    subject: words(headers.get('subject')?.[0] ?? ''),
    text,
    html,
    link,
    read: false,
  };
}

function split(raw: string): { headers: Map<string, string[]>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const headers = new Map<string, string[]>();
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(at + 1).trim()]);
  }
  return { headers, body: raw.slice(end + 4) };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? quoted(body.replace(/=\r\n/g, '')) : body;
}

function quoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** RFC 2047 encoded words in a header. */
function words(header: string): string {
  return header
    .replace(/(=\?utf-8\?[QB]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind, text) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : quoted(text.replaceAll('_', ' ')),
    );
}
