const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Safe markup. Only `html` creates it. */
export class Html {
  readonly #markup: string;
  private constructor(markup: string) {
    this.#markup = markup;
  }
  static join(strings: readonly string[], values: readonly HtmlValue[]): Html {
    return new Html(strings.map((part, index) => part + render(values[index])).join(''));
  }
  toString(): string {
    return this.#markup;
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Escapes values. Quote attributes. Arrays are joined; null and false are nothing. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return Html.join(strings, values);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => escapes[character] ?? '');
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map(render).join('');
}
