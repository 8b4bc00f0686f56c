/** A form on a page, as a browser without scripts sees it. */
export type Form = {
  action: string;
  method: string;
  /** The names and values of its inputs as they came, without unticked boxes. */
  fields: Record<string, string>;
  /** Its submit buttons that have a name. */
  buttons: { name: string; value: string }[];
};

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** HTML text with its character references resolved. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return entities[name] ?? whole;
  });
}

/** The forms of a page, in order. */
export function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = '', body = '']) => ({
    action: attributes(head).action ?? '',
    method: (attributes(head).method ?? 'get').toLowerCase(),
    fields: fieldsOf(body),
    buttons: [...body.matchAll(/<button\b([^>]*)>/g)]
      .map(([, tag = '']) => attributes(tag))
      .flatMap(({ name, value = '', type = 'submit' }) =>
        name && type === 'submit' ? [{ name, value }] : [],
      ),
  }));
}

function fieldsOf(body: string): Record<string, string> {
  const inputs = [...body.matchAll(/<input\b([^>]*)>/g)].map(([, tag = '']) => attributes(tag));
  const sent = inputs.filter(
    ({ name, type = '', checked }) =>
      name && (!['checkbox', 'radio'].includes(type) || checked !== undefined),
  );
  return Object.fromEntries([
    ...sent.map(({ name = '', value = '' }) => [name, value]),
    ...choicesIn(body),
  ]);
}

/** The chosen options in a form's lists. */
function choicesIn(body: string): [string, string][] {
  return [...body.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(
    ([, head = '', options = '']) => {
      const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, tag = '']) =>
        attributes(tag),
      );
      const chosen = all.find(({ selected }) => selected !== undefined) ?? all[0];
      return [attributes(head).name ?? '', chosen?.value ?? ''];
    },
  );
}

function attributes(tag: string): Record<string, string> {
  const found = [...tag.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(
    found.map(([, name = '', value = '']) => [name.toLowerCase(), unescapeHtml(value)]),
  );
}

/** The text of a page, without its markup. */
export function textOf(html: string): string {
  const plain = html.replace(/<(script|style|head)\b.*?<\/\1>/gs, '').replace(/<[^>]+>/g, ' ');
  return unescapeHtml(plain).replace(/\s+/g, ' ').trim();
}
