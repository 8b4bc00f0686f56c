/** Variables that nobody filled in, wherever they stand: `${X}`, `$(env:X)`, `{{ x }}`, `<%= x %>`. */
const variables =
  /\$\{[^{}]*\}|\$\([^()]*\)|\{\{[^{}]*\}\}|\{%[^{%}]*%\}|<%[^<%>]*%>|#\{[^{}]*\}|\[\[[^[\]]*\]\]|%\([\w.]+\)s/;

/** The whole text is one: `<your-secret>`, `?UUID?`, `%SECRET%`, `@secret@`, `__SECRET__`, `$SECRET`. */
const wholeVariable =
  /^(?:<[^<>]*>|\?[\w -]+\?|%[\w.-]+%|@[A-Za-z][\w.-]*@|__[A-Z][A-Z\d_]*__|\$[A-Z][A-Z\d_]{2,}|ENC\[.*\]|(?:env|vault|secret|ref\+\w+|op):\/?\/?\S+)$/s;

/** What an export writes in place of a value, such as `**********`. */
const masked =
  /^(?:[*•●·.]{3,}|x{6,64}|-{3,}|_{3,}|\[(?:redacted|masked|hidden|filtered|removed)\]|redacted)$/i;

/** Orders to whoever fills in a template. */
const order = new RegExp(
  [
    '^(?:please[-_ ]?)?(?:change|replace)[-_ ]?(?:me|this|it|with|by)(?:$|[^a-z].*)',
    '^(?:insert|fill|set|put|enter)[-_].*[-_](?:here|secret|password|value)$',
    '^(?:fix-?me|changeit)$',
    '^your[-_](?:.*[-_])?(?:secret|password|id|key|name|value|realm|domain)$',
    '[-_](?:goes[-_])?here$',
  ].join('|'),
  'i',
);

/**
 * Whether a text only stands for a value: a variable that nobody filled in, a mask, or an order
 * such as `CHANGE_ME`. Everyone who sees the template knows it, so it is no value in any member.
 */
export function isPlaceholder(text: string): boolean {
  const said = text.trim().slice(0, 500);
  return [variables, wholeVariable, masked, order].some((form) => form.test(said));
}

/** A value without all texts that are placeholders, at any depth. */
export function filledIn<T>(value: T): T {
  if (typeof value === 'string') return (isPlaceholder(value) ? undefined : value) as T;
  if (Array.isArray(value)) return value.map(filledIn).filter((each) => each !== undefined) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => [name, filledIn(each)]);
  return Object.fromEntries(members.filter(([, each]) => each !== undefined)) as T;
}
