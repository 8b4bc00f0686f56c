import { type Exchange, show } from './transcript.ts';

export type Answer = { status: number; location?: string | undefined; text: string };

/** The part of a browser that a sign-in needs: it keeps cookies and prints every step. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #name: string | undefined;

  /** @param name the server's name, if there is more than one */
  constructor(origin: string, name?: string) {
    this.#origin = origin;
    this.#name = name;
  }

  /** One request, with its page summarised in a few words. */
  async visit(
    path: string,
    words: (text: string) => string | undefined = () => undefined,
  ): Promise<Answer> {
    return this.#send('GET', path, undefined, words);
  }

  /** Submits a page's form with these fields. */
  async submit(page: Answer, action: string, filled: Record<string, string>): Promise<Answer> {
    const form =
      new RegExp(`<form[^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(page.text)?.[1] ?? '';
    const hidden = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return this.#send('POST', action, { ...fields, ...filled });
  }

  async #send(
    method: string,
    path: string,
    form?: Record<string, string>,
    words?: (text: string) => string | undefined,
  ) {
    const response = await fetch(new URL(path, this.#origin), {
      method,
      redirect: 'manual',
      headers: { Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: form ? new URLSearchParams(form) : null,
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get('location') ?? undefined;
    const exchange: Exchange = {
      method,
      path,
      at: this.#name,
      status: response.status,
      location,
      body: location ? undefined : words?.(text),
    };
    show(form ? { ...exchange, form } : exchange);
    return { status: response.status, location, text };
  }
}
