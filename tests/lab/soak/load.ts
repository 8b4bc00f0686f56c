import { mostUnredeemed } from '#lib/store/unredeemed-codes.ts';
import { type Answer, me, post, redeem, refresh } from '../../support/app.ts';
import { authorizePath, Person } from '../../support/person.ts';
import { newClient, newUser, type TestClient } from '../../support/seed.ts';
import { pause, type SoakServer } from './part.ts';

/** What a client was given and must not lose. */
type Held = {
  access: string[];
  revoked: string[];
  /** Codes that are not redeemed yet, each with its number in the chain. */
  codes: { code: string; number: number }[];
  /**
   * The refresh token of the last answer. If it was being used when the server died, it may be sent
   * again.
   */
  refresh: string | null;
};

/**
 * Only the latest codes of an app and its person are kept, so a waiting code is redeemed before
 * this many newer ones.
 */
const longestWait = mostUnredeemed / 2;

const chance = (share: number) => Math.random() < share;

/** A client and its person, who send one request after another, to several servers in turn. */
export class Chain {
  readonly client: TestClient;
  held: Held = { access: [], revoked: [], codes: [], refresh: null };
  answers = 0;
  #codes = 0;
  /** The first answers that were missing or not what a client may expect. */
  readonly amiss: string[] = [];
  #cookies = new Map<string, string>();
  readonly #username: string;

  private constructor(client: TestClient, username: string) {
    this.client = client;
    this.#username = username;
  }

  static async begin(at: SoakServer): Promise<Chain> {
    const user = await newUser();
    const client = await newClient();
    const chain = new Chain(client, user.username);
    const person = new Person(at, user.username);
    await person.signIn();
    await person.code({ client_id: client.id, response_type: 'code' });
    chain.#cookies = person.cookies;
    return chain;
  }

  /** Sends requests until told to stop, or until the server no longer answers. */
  async run(servers: readonly SoakServer[], goesOn: () => boolean): Promise<void> {
    for (let turn = 0; goesOn(); turn += 1) {
      const at = servers[turn % servers.length];
      if (!at) return;
      try {
        await this.#step(at);
        this.answers += 1;
      } catch (error) {
        const { message, cause } = error as Error;
        this.#note(`${message}: ${(cause as Error | undefined)?.message}`);
        if (servers.length === 1) return;
        await pause(5);
      }
    }
  }

  async #step(at: SoakServer): Promise<void> {
    const { held } = this;
    if (held.refresh === null) return this.#signIn(at);
    const token = held.access.at(-1);
    if (chance(0.5)) return this.#refresh(at, held.refresh);
    if (chance(0.2) && token) {
      held.access.pop();
      const answer = await post(at, '/oauth/revoke', { ...this.#credentials(), token });
      if (this.#isWell('revoke', answer)) held.revoked.push(token);
    } else if (chance(0.2)) held.refresh = null;
    else if (token) this.#isWell('me', await me(at, token));
  }

  #note(amiss: string): void {
    if (this.amiss.length < 50) this.amiss.push(amiss);
  }

  #isWell(what: string, { status, body }: Answer): boolean {
    if (status === 200) return true;
    this.#note(`${what}: ${status} ${JSON.stringify(body)}`);
    return false;
  }

  async #signIn(at: SoakServer): Promise<void> {
    const code = await this.code(at);
    if (code === null) return this.#note('authorize: no code');
    this.#codes += 1;
    await this.#redeemOldest(at);
    if (chance(0.15)) {
      this.held.codes.push({ code, number: this.#codes });
      return;
    }
    const answer = await redeem(at, this.client, code);
    if (!this.#isWell('redeem', answer)) return;
    const { body } = answer;
    this.held.access.push(String(body.access_token));
    this.held.refresh = String(body.refresh_token);
  }

  async #redeemOldest(at: SoakServer): Promise<void> {
    const [oldest] = this.held.codes;
    if (!oldest || this.#codes - oldest.number < longestWait) return;
    this.held.codes.shift();
    this.#isWell('redeem a code that waited', await redeem(at, this.client, oldest.code));
  }

  async #refresh(at: SoakServer, token: string): Promise<void> {
    const answer = await refresh(at, token, this.#credentials());
    if (!this.#isWell('refresh', answer)) return;
    const { body } = answer;
    this.held.access.push(String(body.access_token));
    this.held.refresh = String(body.refresh_token);
  }

  /** A code for this client, whose person is signed in and has consented; null if there is none. */
  async code(at: SoakServer): Promise<string | null> {
    const browser = new Person(at, this.#username);
    for (const [name, value] of this.#cookies) browser.cookies.set(name, value);
    const answer = await browser.request(
      authorizePath({ client_id: this.client.id, response_type: 'code' }),
    );
    const location = answer.headers.get('location') ?? '';
    return location.startsWith(this.client.redirectUri)
      ? new URL(location).searchParams.get('code')
      : null;
  }

  /**
   * Checks everything that was given, reports one line for each thing that is not as it was said,
   * and starts again.
   */
  async check(at: SoakServer): Promise<{ checked: number; failures: string[] }> {
    const { access, revoked, codes, refresh: token } = this.held;
    const failures: string[] = [];
    const expectStatus = async (what: string, wanted: number, ask: () => ReturnType<typeof me>) => {
      const { status, body } = await ask();
      if (status !== wanted)
        failures.push(`${what}: ${status} instead of ${wanted}: ${JSON.stringify(body)}`);
    };
    for (const each of revoked) await expectStatus('revoked access token', 401, () => me(at, each));
    for (const each of access) await expectStatus('access token', 200, () => me(at, each));
    for (const { code } of codes)
      await expectStatus('code', 200, () => redeem(at, this.client, code));
    if (token)
      await expectStatus('refresh token', 200, () => refresh(at, token, this.#credentials()));
    const checked = revoked.length + access.length + codes.length + (token ? 1 : 0);
    this.held = { access: [], revoked: [], codes: [], refresh: null };
    return { checked, failures };
  }

  #credentials() {
    return { client_id: this.client.id, client_secret: this.client.secret };
  }
}

export async function beginChains(at: SoakServer, count: number): Promise<Chain[]> {
  const chains: Chain[] = [];
  for (let each = 0; each < count; each += 1) chains.push(await Chain.begin(at));
  return chains;
}

/** Checks all chains and adds up the results. */
export async function checkAll(chains: readonly Chain[], at: SoakServer) {
  const found = await Promise.all(chains.map((chain) => chain.check(at)));
  return {
    checked: found.reduce((sum, { checked }) => sum + checked, 0),
    failures: found.flatMap(({ failures }) => failures),
  };
}
