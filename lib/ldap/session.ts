import { config } from '../config.ts';
import type { HttpRequest } from '../http/message.ts';
import { noteBusy } from '../http/serve.ts';
import { traceRequest } from '../http/traced.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import { newId } from '../oauth/secrets.ts';
import { log } from '../telemetry/log.ts';
import { metrics } from '../telemetry/metrics.ts';
import { octets } from './ber.ts';
import { type Bound, nobody, prove, requestFrom, type Subject, stillBound } from './bind.ts';
import { compareEntry } from './compare.ts';
import { extensions, fixedAnswer, rootDse, schemaEntry } from './fixed.ts';
import {
  disconnection,
  type Message,
  readBind,
  readCompare,
  readExtended,
  readSearch,
  requests,
  resultMessage,
  type Search,
} from './message.ts';
import { appDn, peopleDn, personDn, placeIn } from './names.ts';
import { noteSearch, refused } from './noted.ts';
import { Refused, type Result } from './result.ts';
import { answerSearch, pagedResults, type Send, sortRequest, withoutEffect } from './search.ts';
import { inTurn } from './turns.ts';
import { type View, viewOf } from './view.ts';

/** What a connection has besides its operations. */
type Line = {
  peer: string;
  /** Whether it is encrypted, and whether passwords may be sent without. */
  isSecure: boolean;
  mayBePlain: boolean;
  offersTls: boolean;
  send: Send;
};

/** What follows an operation. */
export type Next = 'go-on' | 'start-tls' | 'close';

type Done = { result: Result; controls?: readonly Buffer[]; more?: readonly Buffer[]; next?: Next };

const ok: Done = { result: { code: 'success' } };

/** The operations of one connection, one after the other, and who it speaks for. */
export class Session {
  readonly #line: Line;
  readonly #attempt: string;
  #bound: Bound = nobody;
  /** The number of the search that is being answered, and whether it was abandoned. */
  #searching = { id: 0, isAbandoned: false };

  constructor(line: Line, now: Date) {
    this.#line = line;
    this.#attempt = newId(now);
  }

  get isBound(): boolean {
    return this.#bound.is !== 'nobody';
  }

  /** Stops answering a search, if it is the one with this number. */
  abandon(id: number): void {
    if (id === this.#searching.id) this.#searching.isAbandoned = true;
  }

  /** Answers a request. @throws BadBer */
  async answer(message: Message, now: Date): Promise<Next> {
    if (message.tag === requests.unbind) return 'close';
    if (message.tag === requests.abandon) return 'go-on';
    this.#searching = {
      id: message.tag === requests.search ? message.id : 0,
      isAbandoned: false,
    };
    const from = performance.now();
    const done = await this.#perform(message, now).catch(asDone);
    const outcome = done.result.code === 'other' ? 'failed' : done === ok ? 'ok' : 'refused';
    metrics()?.request(`ldap:${nameOf(message.tag)}`, outcome, (performance.now() - from) / 1000);
    if (this.#searching.isAbandoned) return 'go-on';
    const answer = resultMessage(message, done.result, done);
    const isOpen = answer === null || (await this.#line.send(answer));
    if (done.next === 'close')
      await this.#line.send(disconnection({ ...done.result, code: 'strongerAuthRequired' }));
    return isOpen ? (done.next ?? 'go-on') : 'close';
  }

  async #perform(message: Message, now: Date): Promise<Done> {
    checkControls(message);
    const request = requestFrom(this.#line.peer, this.#attempt, now);
    if (message.tag === requests.bind) return this.#bind(message, request, now);
    if (message.tag === requests.extended) {
      const { name } = readExtended(message.body);
      if (name === extensions.startTls) return this.#startTls();
    }
    const isSearch = message.tag === requests.search;
    const search = isSearch ? readSearch(message.body, this.isBound) : null;
    const subject = await stillBound(this.#bound, request, now);
    if (search && isOfServer(search) && (subject || !this.isBound))
      return this.#describe(message.id, search);
    if (!subject) return this.#unbound();
    request.about.clientId = subject.client.id;
    request.about.userId = subject.person?.id ?? null;
    request.about.behind = subject.person ? 'person' : 'app';
    const view = viewFor(subject);
    return search ? this.#search(message, search, view, request) : operate(message, view);
  }

  /** What everybody may read. */
  async #describe(id: number, search: Search): Promise<Done> {
    const { send, offersTls, isSecure } = this.#line;
    const isSchema = search.base !== '';
    const entry = isSchema ? schemaEntry : rootDse(config().ldap.baseDn, offersTls && !isSecure);
    await send(fixedAnswer(id, entry, search));
    return ok;
  }

  #unbound(): Done {
    if (!this.isBound)
      throw new Refused(
        'insufficientAccessRights',
        'Bind first, with the client ID and secret of the app.',
      );
    this.#bound = nobody;
    const says = 'The password or the access that this connection was bound with has ended.';
    return { result: { code: 'insufficientAccessRights', says }, next: 'close' };
  }

  #startTls(): Done {
    const { isSecure, offersTls } = this.#line;
    if (isSecure) throw new Refused('protocolError', 'TLS is there already.');
    if (!offersTls) throw new Refused('protocolError', 'This server has no certificate for TLS.');
    // Who was bound in plain text may have been somebody in between.
    this.#bound = nobody;
    return { ...ok, more: [octets(extensions.startTls, 0x8a)], next: 'start-tls' };
  }

  async #bind(message: Message, request: HttpRequest, now: Date): Promise<Done> {
    this.#bound = nobody;
    const { version, name, password } = readBind(message.body);
    if (version !== 3) throw new Refused('protocolError', 'This server speaks LDAP version 3.');
    if (password === null)
      throw new Refused('authMethodNotSupported', 'Only simple binds are possible, not SASL.');
    if (name === '' && password === '') return ok;
    // It would succeed without a password, and programs take that for a sign-in.
    if (password === '') throw new Refused('unwillingToPerform', 'The password is empty.');
    const { baseDn } = config().ldap;
    const isSafe = this.#line.isSecure || this.#line.mayBePlain;
    try {
      this.#bound = await prove({ name, password, baseDn, isSafe, request }, now);
      request.about.outcome = 'done';
      traceRequest('bind', request, undefined, now);
      return ok;
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error;
      return { result: await refused(error, 'bind', request, now) };
    }
  }

  async #search(message: Message, search: Search, view: View, request: HttpRequest): Promise<Done> {
    const { client, person } = view;
    const now = new Date();
    const send: Send = async (bytes) => !this.#searching.isAbandoned && this.#line.send(bytes);
    try {
      const who = `${client.id} ${person?.id ?? ''}`;
      const answer = () => answerSearch(message, search, view, send);
      const { entries, ...found } = await inTurn(who, answer);
      noteSearch(search, entries, request, now);
      return { ...ok, ...found };
    } catch (error) {
      if (error instanceof Refused) noteSearch(search, error.result, request, now);
      throw error;
    }
  }
}

/** Answers what is not a search. @throws Refused, BadBer */
async function operate(message: Message, view: View): Promise<Done> {
  if (message.tag === requests.compare)
    return { result: await compareEntry(readCompare(message.body), view) };
  if (message.tag === requests.extended) return extended(message, view);
  throw new Refused('unwillingToPerform', `This directory is read-only. ${whereToChange()}`);
}

/** Searches of the root DSE and the schema, which everybody may make. */
function isOfServer({ base, scope }: Search): boolean {
  const place = placeIn(base, config().ldap.baseDn);
  return scope === 'base' && (place?.at === 'server' || place?.at === 'schema');
}

function viewFor({ client, person }: Subject): View {
  const { baseDn, posix } = config().ldap;
  return viewOf({ client, person, baseDn, posix });
}

function extended(message: Message, { client, person, baseDn }: View): Done {
  const { name } = readExtended(message.body);
  if (name === extensions.whoAmI) {
    const dn = person
      ? personDn(person.username, peopleDn(client.id, baseDn))
      : appDn(client.id, baseDn);
    return { ...ok, more: [octets(`dn:${dn}`, 0x8b)] };
  }
  if (name === extensions.changePassword) throw new Refused('unwillingToPerform', whereToChange());
  throw new Refused('protocolError', 'This server does not know the extended operation.');
}

const whereToChange = () =>
  `People change their password, and their app passwords, at ${config().issuer}/account.`;

function checkControls({ tag, controls }: Message): void {
  const known =
    tag === requests.search ? [pagedResults, sortRequest, ...withoutEffect] : withoutEffect;
  const other = controls.find(({ type, isCritical }) => isCritical && !known.includes(type));
  if (other)
    throw new Refused(
      'unavailableCriticalExtension',
      `There is no control ${other.type.slice(0, 60)} here.`,
    );
}

const nameOf = (tag: number) =>
  Object.entries(requests).find(([, each]) => each === tag)?.[0] ?? 'unknown';

/** Transient failures by class name, as in `serve`. */
const passing = new Set(['PasswordsBusy', 'DatabaseAway']);

/** @throws any error that is about the bytes, not the operation */
function asDone(error: unknown): Done {
  if (error instanceof Refused) return { result: error.result };
  const { name } = error as Error;
  if (name === 'BadBer') throw error;
  if (passing.has(name)) {
    noteBusy(error as Error, { path: 'ldap' });
    return { result: { code: 'busy', says: 'The server is busy. Try again.' } };
  }
  log().error({ path: 'ldap', err: error }, 'failed');
  return { result: { code: 'other', says: 'Something went wrong on this server.' } };
}
