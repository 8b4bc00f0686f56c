import type { ClientRecord } from '../store/client-list.ts';

const mostOfName = 36;

/** `Café №1` becomes CAFE_NO1. A name without Latin letters or digits becomes empty. */
const spelt = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

const cut = (text: string) => text.slice(0, mostOfName).replace(/_$/, '');

/**
 * Names the variables that hold the secrets of apps, each name once: after the app, with the end of
 * its id added if another app already took that name. None begins like a variable of the server.
 */
export class SecretNames {
  readonly #taken = new Set<string>();

  next({ id, name }: Pick<ClientRecord, 'id' | 'name'>): string {
    const own = cut(spelt(name)) || cut(spelt(id)) || 'CLIENT';
    const longer = `${own}_${spelt(id.slice(-8))}`.replace(/_$/, '');
    for (let count = 1; ; count += 1) {
      const chosen = [own, longer][count - 1] ?? `${longer}_${count - 1}`;
      if (this.#taken.has(chosen)) continue;
      this.#taken.add(chosen);
      return `APP_${chosen}_SECRET`;
    }
  }
}
