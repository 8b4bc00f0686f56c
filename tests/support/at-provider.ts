import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { findProvider, type NewProvider } from '#lib/store/providers.ts';
import { textOf } from './html.ts';
import type { Lies, LyingProvider } from './lying-provider.ts';
import type { TestServer } from './open-server.ts';
import { type Page, Person } from './person.ts';
import { giveIdentity, newProvider } from './providers.ts';
import { newUser, type TestUser } from './seed.ts';

/** A provider, with what is needed to press its button. */
export type Way = { id: string; slug: string; name: string };

export const newName = () => `person-${randomBytes(6).toString('hex')}`;
export const newSub = () => randomBytes(8).toString('hex');
export const verified = (email: string) => ({ email, email_verified: true });
export const says = (page: Page, text: string) => expect(textOf(page.html)).toContain(text);

/** The steps of signing in through a provider that says whatever a test wants. */
export function atProvider(server: TestServer, idp: LyingProvider) {
  async function newWay(changes: Partial<NewProvider> = {}): Promise<Way> {
    const name = `Provider ${randomBytes(4).toString('hex')}`;
    const id = await newProvider({ name, issuer: idp.issuer, ...changes });
    const provider = await findProvider(id);
    return { id, name, slug: provider?.slug ?? '' };
  }

  /** Presses the provider's button and returns the provider's page. */
  const begin = (person: Person, { slug }: Way, query = '') =>
    person.open(`/login/with/${slug}${query}`);

  /** Comes back from the provider's page. */
  async function comeBack(
    person: Person,
    there: Page,
    claims: Record<string, unknown>,
    lies: Lies = {},
  ): Promise<Page> {
    idp.lies = lies;
    return person.open(idp.answer(there.at, claims));
  }

  const goThrough = async (
    person: Person,
    way: Way,
    claims: Record<string, unknown>,
    lies: Lies = {},
  ) => comeBack(person, await begin(person, way), claims, lies);

  /** A user who is linked to the provider, and their subject there. */
  async function newLinked(way: Way): Promise<{ user: TestUser; subject: string }> {
    const user = await newUser();
    const subject = newSub();
    await giveIdentity(user.id, way.id, { issuer: idp.issuer, subject });
    return { user, subject };
  }

  /** Comes back from the provider with the email address of an existing account, not linked yet. */
  async function newClaim(way: Way): Promise<{ user: TestUser; person: Person; page: Page }> {
    const user = await newUser();
    const person = new Person(server, user.username);
    const page = await goThrough(person, way, { sub: newSub(), ...verified(user.email) });
    return { user, person, page };
  }

  return { newWay, begin, comeBack, goThrough, newLinked, newClaim };
}
