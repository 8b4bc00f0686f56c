import { createHash, randomBytes } from 'node:crypto';
import { exchangeGrant, jwtBearerGrant } from '../../oauth/grant-types.ts';
import { idJagTokenType } from '../../oauth/id-jag.ts';
import { tokenTypes } from '../../oauth/token-exchange.ts';
import { type Api, call } from './apis.ts';
import { claimsIn, exchangeOf, type Journal } from './journal.ts';
import type { Json, Party } from './party.ts';
import type { World } from './world.ts';

/** Home's tokens, while the agent has them. */
type Tokens = { access: string; refresh: string; identity: string };
/** The token it got at the railway, and when it expires. */
type Ticket = { token: string; endsAt: Date };

/** Whether the agent could act, at home and at the railway. */
export type Acted = { atHome: boolean; atRailway: boolean };

/** The agent. Everything it does is in this file. */
export class Agent {
  readonly origin: string;
  readonly party: Party;
  /** The same agent at the railway, with another id and key. */
  readonly #there: Party;
  readonly #world: World;
  readonly #journal: Journal;
  readonly #waiting = new Map<string, string>();
  #tokens: Tokens | null = null;
  #ticket: Ticket | null = null;

  constructor(
    origin: string,
    parties: [here: Party, there: Party],
    world: World,
    journal: Journal,
  ) {
    this.origin = origin;
    [this.party, this.#there] = parties;
    [this.#world, this.#journal] = [world, journal];
  }

  /** The agent's id at the railway. */
  get idThere(): string {
    return this.#there.id;
  }

  get isAllowed(): boolean {
    return this.#tokens !== null;
  }

  /** When the railway's token expires; null if there is none or it has expired. */
  ticketUntil(now: Date): Date | null {
    return this.#ticket && this.#ticket.endsAt > now ? this.#ticket.endsAt : null;
  }

  get redirectUri(): string {
    return `${this.origin}/callback`;
  }

  /**
   * Where it sends the browser (RFC 6749 section 4.1.1). The request names both APIs (RFC 8707):
   * the one the agent calls, and the one that Scheduler will call.
   */
  authorizationRequest(): string {
    const [state, verifier] = [randomBytes(12), randomBytes(32)].map((bytes) =>
      bytes.toString('base64url'),
    ) as [string, string];
    this.#waiting.set(state, verifier);
    const { scheduler, calendar } = this.#world;
    const query = new URLSearchParams([
      ['response_type', 'code'],
      ['client_id', this.party.id],
      ['redirect_uri', this.redirectUri],
      ['scope', 'openid plan calendar:read'],
      ['resource', scheduler.identifier],
      ['resource', calendar.identifier],
      ['state', state],
      ['code_challenge', createHash('sha256').update(verifier).digest('base64url')],
      ['code_challenge_method', 'S256'],
    ]);
    return `/oauth/authorize?${query}`;
  }

  /**
   * Redeems the code of a response. False if the response was not requested, or the request was
   * denied or failed.
   */
  async redeem(answer: URLSearchParams): Promise<boolean> {
    const state = answer.get('state') ?? '';
    const verifier = this.#waiting.get(state);
    this.#waiting.delete(state);
    const { home, scheduler } = this.#world;
    const code = answer.get('code');
    if (verifier === undefined || code === null || answer.get('iss') !== home.issuer) return false;
    const given = await this.party.ask(home, '/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: verifier,
      resource: scheduler.identifier,
    });
    const { access_token, refresh_token, id_token } = given.body;
    this.#journal.tell({
      says: `${this.party.name} redeems the code. It proves itself by its key, so that there is no secret, and gets tokens for Scheduler.`,
      clause: 'RFC 6749 section 4.1.3, RFC 7523 section 2.2',
      exchange: exchangeOf(given, home),
      ...(id_token !== undefined && {
        reads: { what: 'What the ID token says', values: idTokenShown(claimsIn(id_token)) },
      }),
    });
    if (given.status !== 200) return false;
    this.#tokens = {
      access: String(access_token),
      refresh: String(refresh_token),
      identity: String(id_token),
    };
    this.#ticket = null;
    return true;
  }

  /** Finds a day at home, and books a train at the railway. */
  async act(now: Date): Promise<Acted> {
    const atHome = await this.#plan();
    const atRailway = await this.#book(now);
    return { atHome, atRailway };
  }

  /** Loses all tokens, as if it had just been started. */
  forget(): void {
    [this.#tokens, this.#ticket] = [null, null];
  }

  async #plan(): Promise<boolean> {
    const answer = await this.#call(this.#world.scheduler, this.#tokens?.access ?? '');
    if (answer.status === 200) return true;
    await this.#refresh();
    return false;
  }

  async #refresh(): Promise<void> {
    const { home } = this.#world;
    const given = await this.party.ask(home, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: this.#tokens?.refresh ?? '',
    });
    this.#journal.tell({
      says: `${this.party.name} believes that its token has merely expired, and asks for another.`,
      clause: 'RFC 6749 section 6',
      exchange: exchangeOf(given, home),
    });
  }

  async #book(now: Date): Promise<boolean> {
    const assertion = await this.#assertion();
    if (assertion) await this.#redeemAssertion(assertion, now);
    return this.bookAgain(now);
  }

  /** Books once more, with the token the railway gave before. */
  async bookAgain(now: Date): Promise<boolean> {
    const held = this.#ticket;
    if (!held || held.endsAt <= now) return false;
    const answer = await this.#call(this.#world.tickets, held.token);
    return answer.status === 200;
  }

  /** Gets an identity assertion from home, for the railway alone, about the user who signed in. */
  async #assertion(): Promise<string | null> {
    const { home, railway, tickets } = this.#world;
    const given = await this.party.ask(home, '/oauth/token', {
      grant_type: exchangeGrant,
      requested_token_type: idJagTokenType,
      subject_token: this.#tokens?.identity ?? '',
      subject_token_type: tokenTypes.idToken,
      audience: railway.issuer,
      resource: tickets.identifier,
      scope: 'tickets:book',
    });
    const assertion = given.body.access_token;
    this.#journal.tell({
      says:
        typeof assertion === 'string'
          ? `Tickets are of another company: its tokens come from ${railway.name}. ${this.party.name} asks ${home.name} for an identity assertion (ID-JAG), which tells ${railway.name} who signed in. Nobody is asked: the admins of both have decided.`
          : `${this.party.name} asks ${home.name} for another identity assertion.`,
      clause: 'ID-JAG draft section 4.3, RFC 8693',
      exchange: exchangeOf(given, home),
      ...(typeof assertion === 'string' && {
        reads: { what: 'What the assertion says', values: claimsIn(assertion) },
      }),
    });
    return typeof assertion === 'string' ? assertion : null;
  }

  async #redeemAssertion(assertion: string, now: Date): Promise<void> {
    const { railway } = this.#world;
    const given = await this.#there.ask(railway, '/oauth/token', {
      grant_type: jwtBearerGrant,
      assertion,
    });
    const { access_token, expires_in } = given.body;
    this.#journal.tell({
      says: `${this.party.name} shows the assertion to ${railway.name}, which trusts ${home(this.#world)} with it, knows Dora by it, and gives a token. It is good once, and there is no refresh token.`,
      clause: 'ID-JAG draft section 4.4, RFC 7523 section 2.1',
      exchange: exchangeOf(given, railway),
    });
    if (typeof access_token !== 'string') return;
    this.#ticket = {
      token: access_token,
      endsAt: new Date(now.getTime() + Number(expires_in) * 1000),
    };
  }

  #call(api: Api, token: string) {
    const says = `${this.party.name} calls ${api.party.name} for Dora.`;
    return call(says, api, token, this.#journal);
  }
}

const home = (world: World) => world.home.name;

function idTokenShown(claims: Json): Json {
  const names = ['iss', 'sub', 'aud', 'auth_time', 'exp'];
  return Object.fromEntries(names.map((name) => [name, claims[name]]));
}
