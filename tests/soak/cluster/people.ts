import { setTimeout as pause } from 'node:timers/promises';
import { authorizePath, Person } from '../../support/person.ts';
import { newClient, newUser, password, type TestClient } from '../../support/seed.ts';
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

/** What somebody could still use, or could not any more, and who is asked about it. */
type Held = { kind: 'access' | 'sign-in'; secret: string; thing: string; line: string };

/** What all have in common: the doors, what is written down, and what anybody may ask about. */
export type World = {
  doors: readonly Door[];
  issuer: string;
  history: History;
  /** Things to ask about, as many as fit; those that ended stay longer. */
  live: Held[];
  over: Held[];
  /** Answers that no client can make sense of. */
  odd: Set<string>;
  /** When a write was acknowledged that had begun last, for each door. */
  written: number[];
  goesOn: () => boolean;
  /** Waits for its turn, so that all together ask no more than they are to. */
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

/** Does something by one of the servers, and keeps how it went. */
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

/** Somebody with an app of their own. */
export class Someone {
  readonly #world: World;
  readonly #client: TestClient;
  readonly #username: string;
  #browser = newBrowser();
  /** Which sign-in this is; null: none. */
  #signIn: string | null = null;

  private constructor(world: World, client: TestClient, username: string) {
    this.#world = world;
    this.#client = client;
    this.#username = username;
  }

  /** Makes one who has allowed their app everything. */
  static async make(world: World): Promise<Someone> {
    const [user, client] = [await newUser(), await newClient()];
    const [door] = world.doors;
    const base = `http://127.0.0.1:${door?.server.port}`;
    const house = { ...{ mount: 'direct' as const, databaseUrl: '', logFile: '', port: 0 }, base };
    const another = () => Promise.reject(new Error('none'));
    const person = new Person(
      { ...house, issuer: world.issuer, twin: another, another },
      user.username,
    );
    await person.signIn();
    await person.code({ client_id: client.id, response_type: 'code' });
    return new Someone(world, client, user.username);
  }

  /** Signs in, lets the app have tokens, uses and ends them, again and again. */
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

  /** Redeems a code, at times by both servers at once; a lost answer is asked for again. */
  async #redeem(code: string): Promise<Tokens | null> {
    const line = nameOf(code);
    const about: About = { does: 'use', kind: 'code', thing: line, line };
    const grant = { grant_type: 'authorization_code', code };
    const once = () => act<Gave>(this.#world, about, (door) => this.#token(door, grant));
    const found = await Promise.all(chance(0.2) ? [once(), once()] : [once()]);
    if (found.every(({ outcome }) => outcome === 'unknown') && chance(0.5))
      found.push(await once());
    // Two redemptions end what the first one gave.
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

  /** Refreshes some times, and ends it in one of the ways there are. */
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

  /** The next tokens; the same request again while nobody can tell, at times twice at once. */
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

  /** Revokes until it is acknowledged, as programs do. */
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

  /** An old refresh token is used again, as by a thief: when that is refused, all of its line has ended. */
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
    // Who is signed out has other cookies; the old ones are tried again later.
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

  /** From now on it is asked about as something that is over. */
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

/** Who is signed in gets a code; who is not, the error that says so. */
function outcomeOfVisit(answer: Answer, odd: (what: string) => void): Outcome {
  if (codeOf(answer) !== null) return 'done';
  if (/[?&]error=login_required/.test(answer.location)) return 'refused';
  if (answer.status !== 503)
    odd(`${answer.status} ${answer.location} ${answer.body.slice(0, 100)}`);
  return 'unknown';
}

/** Asks about what others hold and have ended, half and half, while it goes on. */
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

/** As above, of an app that this person has not allowed anything: the error says so, to whoever is signed in. */
function outcomeOfAnybody(answer: Answer, odd: (what: string) => void): Outcome {
  return /[?&]error=(consent|interaction)_required/.test(answer.location)
    ? 'done'
    : outcomeOfVisit(answer, odd);
}
