import { setTimeout as pause } from 'node:timers/promises';
import { authorizePath, Person } from '../../../support/person.ts';
import { newClient, newUser, password, type TestClient } from '../../../support/seed.ts';
import {
  type Answer,
  cookiesOf,
  csrfIn,
  type Door,
  keepCookies,
  nameOf,
  newBrowser,
  outcomeOf,
} from './client.ts';
import type { Found, History, Operation, Outcome } from './history.ts';

/** Something that a person can still use or no longer can, and that may be asked about. */
type Held = { kind: 'access' | 'sign-in'; secret: string; thing: string; line: string };

/** What all people share: the doors, the history, and the things that anyone may ask about. */
export type World = {
  doors: readonly Door[];
  issuer: string;
  history: History;
  /** Things to ask about, up to a limit: those that are alive, and those that ended. */
  live: Held[];
  over: Held[];
  /** Answers that no client can make sense of. */
  odd: Set<string>;
  /** For each door, the latest start of a write that was acknowledged. */
  written: number[];
  goesOn: () => boolean;
  /** Waits for its turn, so that all together do not exceed the request rate. */
  turn: () => Promise<void>;
};

const chance = (share: number) => Math.random() < share;
const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;
const mostHeld = 3000;

function hold(held: Held[], one: Held): void {
  if (held.length < mostHeld) held.push(one);
  else held[Math.floor(Math.random() * mostHeld)] = one;
}

type About = Pick<Operation, 'does' | 'kind' | 'thing' | 'line'>;
type Tokens = { access: string; refresh: string };
type Gave = Found & { tokens?: Tokens };

/** Sends a request to one of the servers, and records how it ended. */
async function act<T extends Found>(
  world: World,
  about: About,
  ask: (door: Door) => Promise<T>,
): Promise<T | { outcome: 'unknown' }> {
  await world.turn();
  const which = Math.floor(Math.random() * world.doors.length);
  const begun = performance.now();
  const found = await world.history.record(about, () => ask(world.doors[which] as Door));
  const writes = about.kind !== 'access' || about.does !== 'use';
  if (found.outcome === 'done' && writes && about.kind !== 'sign-in')
    world.written[which] = Math.max(world.written[which] ?? 0, begun);
  return found;
}

/** A person with their own app. */
export class Someone {
  readonly #world: World;
  readonly #client: TestClient;
  readonly #username: string;
  #browser = newBrowser();
  /** The current sign-in; null if there is none. */
  #signIn: string | null = null;

  private constructor(world: World, client: TestClient, username: string) {
    this.#world = world;
    this.#client = client;
    this.#username = username;
  }

  /** Makes a person who has allowed their app everything. */
  static async make(world: World): Promise<Someone> {
    const user = await newUser();
    const client = await newClient();
    const [door] = world.doors;
    const base = `http://127.0.0.1:${door?.serverProcess.port}`;
    const server = { mount: 'direct' as const, databaseUrl: '', logFile: '', port: 0, base };
    const another = () => Promise.reject(new Error('none'));
    const person = new Person(
      { ...server, issuer: world.issuer, secondProcess: another, another },
      user.username,
    );
    await person.signIn();
    await person.code({ client_id: client.id, response_type: 'code' });
    return new Someone(world, client, user.username);
  }

  /** Again and again: signs in, gets the app tokens, uses them and ends them. */
  async live(): Promise<void> {
    while (this.#world.goesOn()) {
      if (this.#signIn === null) await this.#begin();
      const code = this.#signIn && (await this.#authorize());
      const tokens = code && (await this.#redeem(code));
      if (tokens) await this.#use(nameOf(code), tokens);
      if (this.#signIn && chance(0.2)) await this.#signOut();
    }
  }

  #post(door: Door, path: string, fields: Record<string, string>, browser = false) {
    const cookies = { Cookie: cookiesOf(this.#browser), Origin: this.#world.issuer };
    const headers = browser ? { ...cookies, 'Sec-Fetch-Site': 'same-origin' } : {};
    return door.ask(path, { ...headers }, new URLSearchParams(fields).toString());
  }

  async #begin(): Promise<void> {
    this.#browser = newBrowser();
    const name = nameOf(cookiesOf(this.#browser));
    const about: About = { does: 'begin', kind: 'sign-in', thing: name, line: name };
    const fields = { csrf: csrfIn(this.#browser), username: this.#username, password };
    const { outcome } = await act(this.#world, about, async (door) => {
      const answer = await this.#post(door, '/login/submit', fields, true);
      keepCookies(this.#browser, answer);
      const is = outcomeOf(answer, [303, 400], this.#odd('sign in'));
      return { outcome: is, gave: is === 'done' ? [name] : [] };
    });
    this.#signIn = outcome === 'done' ? name : null;
    const secret = cookiesOf(this.#browser);
    if (this.#signIn) hold(this.#world.live, { kind: 'sign-in', secret, thing: name, line: name });
  }

  async #authorize(): Promise<string | null> {
    const [name, client] = [this.#signIn ?? '', this.#client];
    const about: About = { does: 'use', kind: 'sign-in', thing: name, line: name };
    let code: string | null = null;
    const { outcome } = await act(this.#world, about, async (door) => {
      const headers = { Cookie: cookiesOf(this.#browser) };
      const params = { client_id: client.id, response_type: 'code', prompt: 'none' };
      const answer = await door.ask(authorizePath(params), headers);
      code = codeOf(answer);
      return { outcome: outcomeOfVisit(answer, this.#odd('authorize')) };
    });
    if (outcome === 'refused') this.#signIn = null;
    if (code !== null) {
      const [thing, ended] = [nameOf(code), performance.now()];
      const given = { kind: 'line', thing, line: thing, gave: [thing] } as const;
      const moments = { begun: ended, ended, does: 'begin', outcome: 'done' } as const;
      this.#world.history.operations.push({ ...given, ...moments });
    }
    return code;
  }

  /**
   * Redeems a code, sometimes by two requests at the same time. Half of the time, a lost answer is
   * asked for again.
   */
  async #redeem(code: string): Promise<Tokens | null> {
    const line = nameOf(code);
    const about: About = { does: 'use', kind: 'code', thing: line, line };
    const grant = { grant_type: 'authorization_code', code };
    const once = () => act<Gave>(this.#world, about, (door) => this.#token(door, grant));
    const found = await Promise.all(chance(0.2) ? [once(), once()] : [once()]);
    if (found.every(({ outcome }) => outcome === 'unknown') && chance(0.5))
      found.push(await once());
    // A second redemption ends what the first one gave.
    const [gave] = found.length === 1 ? found : [];
    return gave && 'tokens' in gave ? (gave.tokens ?? null) : null;
  }

  async #token(door: Door, grant: Record<string, string>): Promise<Gave> {
    const { id, secret } = this.#client;
    const fields = { ...grant, client_id: id, client_secret: secret };
    const answer = await this.#post(door, '/oauth/token', fields);
    const outcome = outcomeOf(answer, [200, 400], this.#odd('token'));
    if (outcome !== 'done') return { outcome };
    const { access_token: access, refresh_token: refresh } = JSON.parse(answer.body);
    const next = nameOf(refresh);
    return { outcome, gave: [nameOf(access), next], next, tokens: { access, refresh } };
  }

  /** Refreshes a few times, then ends the line in one of several ways or leaves it. */
  async #use(line: string, first: Tokens): Promise<void> {
    const all = [first];
    this.#hold(line, first);
    for (let steps = 2 + Math.floor(Math.random() * 6); steps > 0; steps -= 1) {
      const next = await this.#refresh(line, (all.at(-1) as Tokens).refresh);
      if (!next) return;
      all.push(next);
      this.#hold(line, next);
    }
    const way = Math.random();
    const last = all.at(-1) as Tokens;
    if (way < 0.35) await this.#revoke(line, last.access, 'access');
    else if (way < 0.7) await this.#revoke(line, oneOf(all).refresh, 'line');
    else if (way < 0.8) await this.#copy(line, (all.at(-3) as Tokens).refresh);
    if (way >= 0.35 && way < 0.7 && chance(0.5)) await this.#refresh(line, last.refresh);
  }

  #hold(line: string, { access }: Tokens): void {
    hold(this.#world.live, { kind: 'access', secret: access, thing: nameOf(access), line });
  }

  /**
   * The next tokens. Retries while the outcome is unknown, and sometimes sends two requests at the
   * same time.
   */
  async #refresh(line: string, token: string): Promise<Tokens | null> {
    const about: About = { does: 'use', kind: 'refresh', thing: nameOf(token), line };
    const grant = { grant_type: 'refresh_token', refresh_token: token };
    const once = () => act<Gave>(this.#world, about, (door) => this.#token(door, grant));
    for (let tries = 0; tries < 60; tries += 1) {
      const found = await Promise.all(chance(0.1) ? [once(), once()] : [once()]);
      for (const each of found) if ('tokens' in each && each.tokens) return each.tokens;
      if (found.some(({ outcome }) => outcome === 'refused')) return null;
      await pause(200);
    }
    return null;
  }

  /** Revokes, retrying until that is acknowledged, as programs do. */
  async #revoke(line: string, token: string, what: 'access' | 'line'): Promise<void> {
    const thing = what === 'line' ? line : nameOf(token);
    const about: About = { does: 'end', kind: what, thing, line };
    const { id, secret } = this.#client;
    const fields = { token, client_id: id, client_secret: secret };
    const once = () =>
      act(this.#world, about, async (door) => {
        const answer = await this.#post(door, '/oauth/revoke', fields);
        return { outcome: outcomeOf(answer, [200, 400], this.#odd('revoke')) };
      });
    if (await this.#untilDone(once)) this.#end(what === 'line' ? isOf(line) : isThing(thing));
  }

  /**
   * Uses an old refresh token again, as a thief would. If that is refused, the whole line has
   * ended.
   */
  async #copy(line: string, token: string): Promise<void> {
    const about: About = { does: 'use', kind: 'refresh', thing: nameOf(token), line };
    const grant = { grant_type: 'refresh_token', refresh_token: token };
    const found = await act<Gave>(this.#world, about, (door) => this.#token(door, grant));
    if (found.outcome !== 'refused') return;
    const ended = performance.now();
    const end = { does: 'end', kind: 'line', thing: line, line, outcome: 'done' } as const;
    this.#world.history.operations.push({ ...end, begun: ended, ended });
    this.#end(isOf(line));
  }

  async #signOut(): Promise<void> {
    const name = this.#signIn ?? '';
    const about: About = { does: 'end', kind: 'sign-in', thing: name, line: name };
    // Signing out changes the cookies, but the old ones are tried again later.
    const once = () =>
      act(this.#world, about, async (door) => {
        const fields = { csrf: csrfIn(this.#browser) };
        const answer = await this.#post(door, '/logout/submit', fields, true);
        return { outcome: outcomeOf(answer, [303, 400], this.#odd('sign out')) };
      });
    if (await this.#untilDone(once)) this.#end(isThing(name));
    this.#signIn = null;
  }

  async #untilDone(once: () => Promise<{ outcome: Outcome }>): Promise<boolean> {
    for (let tries = 0; tries < 60; tries += 1) {
      const { outcome } = await once();
      if (outcome !== 'unknown') return outcome === 'done';
      await pause(200);
    }
    return false;
  }

  /** Moves things to those that have ended, to be asked about from now on. */
  #end(is: (held: Held) => boolean): void {
    const { live, over } = this.#world;
    for (let index = live.length - 1; index >= 0; index -= 1) {
      const held = live[index];
      if (!held || !is(held)) continue;
      hold(over, held);
      live.splice(index, 1);
    }
  }

  #odd(what: string): (said: string) => void {
    return (said) => this.#world.odd.add(`${what}: ${said}`);
  }
}

const isOf = (line: string) => (held: Held) => held.line === line;
const isThing = (thing: string) => (held: Held) => held.thing === thing;

const codeOf = ({ location }: Answer): string | null =>
  URL.canParse(location) ? new URL(location).searchParams.get('code') : null;

/** A signed-in browser gets a code; otherwise the answer is the error that says so. */
function outcomeOfVisit(answer: Answer, odd: (what: string) => void): Outcome {
  if (codeOf(answer) !== null) return 'done';
  if (/[?&]error=login_required/.test(answer.location)) return 'refused';
  if (answer.status !== 503)
    odd(`${answer.status} ${answer.location} ${answer.body.slice(0, 100)}`);
  return 'unknown';
}

/** Asks about things of other people while the soak runs: about half are alive, half have ended. */
export async function askAround(world: World, client: TestClient): Promise<void> {
  while (world.goesOn()) {
    const from = chance(0.5) && world.over.length > 0 ? world.over : world.live;
    if (from.length === 0) await pause(50);
    else await askAbout(world, oneOf(from), client);
  }
}

/** Shows one thing to one server. */
export async function askAbout(world: World, held: Held, client: TestClient): Promise<void> {
  const { kind, secret, thing, line } = held;
  const odd = (said: string) => world.odd.add(`${kind}: ${said}`);
  await act(world, { does: 'use', kind, thing, line }, async (door) => {
    if (kind === 'access') {
      const answer = await door.ask('/oauth/me', { Authorization: `Bearer ${secret}` });
      return { outcome: outcomeOf(answer, [200, 401], odd) };
    }
    const params = { client_id: client.id, response_type: 'code', prompt: 'none' };
    const answer = await door.ask(authorizePath(params), { Cookie: secret });
    return { outcome: outcomeOfAnybody(answer, odd) };
  });
}

/**
 * Like {@link outcomeOfVisit}, for an app that this person has not allowed anything: a signed-in
 * browser gets the error that says so.
 */
function outcomeOfAnybody(answer: Answer, odd: (what: string) => void): Outcome {
  return /[?&]error=(consent|interaction)_required/.test(answer.location)
    ? 'done'
    : outcomeOfVisit(answer, odd);
}
