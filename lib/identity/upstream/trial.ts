import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { ServerMetadata } from 'openid-client';
import { groupsWithIds } from '../../store/groups.ts';
import type { Provider } from '../../store/providers.ts';
import { findUser } from '../../store/users.ts';
import { type AccountMatch, demandDomain, matchAccount, unlinkedFault } from './account-match.ts';
import { type Answer, addressAt, readAnswerOf, type Said } from './ask.ts';
import type { Asked } from './asked.ts';
import { metadataOf, type Watch } from './clients.ts';
import { type FaultRule, ProviderFault } from './fault.ts';
import { faultOf } from './faults.ts';
import { groupsSaid } from './groups.ts';
import { type Claims, kinds } from './provider-kinds.ts';
import { claimAt, saysMfa } from './said-claims.ts';

/** The steps of a sign-in at a provider, in order. */
export const trialSteps = [
  'discovery',
  'request',
  'answer',
  'tokens',
  'claims',
  'profile',
  'person',
] as const;

/** A name from the protocol, and the value that was sent or received under it. */
type Fact = [name: string, value: string];

/** One step as shown to an admin. Secrets, codes and tokens are masked. */
type TrialStep = {
  step: (typeof trialSteps)[number];
  /** Why it failed, with what came and what was expected; null if it succeeded. */
  rule: FaultRule | null;
  received: string | null;
  expected: string[];
  facts: Fact[];
};

/** What a user would see: `closed` is a disabled account, the others as in `AccountMatch`. */
export const trialOutcomes = ['linked', 'closed', 'claimed', 'new', 'unknown'] as const;

export type TrialReport = {
  steps: TrialStep[];
  outcome: (typeof trialOutcomes)[number] | null;
  /** The account of that outcome. */
  userId: string | null;
};

const hidden = '•••';
const well = (step: TrialStep['step'], facts: Fact[]): TrialStep => ({
  step,
  rule: null,
  received: null,
  expected: [],
  facts: facts.map(([name, value]): Fact => [cut(name, 60), cut(value, 120)]),
});
const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);

function failed(step: TrialStep['step'], facts: Fact[], error: unknown): TrialStep {
  const { rule, received, expected } = faultOf(error).facts;
  return {
    ...well(step, facts),
    rule: rule as FaultRule,
    received: received === undefined ? null : cut(received, 300),
    expected: (expected ?? []).slice(0, 5).map((text) => cut(text, 200)),
  };
}

/** Fetches a provider's metadata again; returns a report if that fails, or null. */
export async function tryDiscovery(provider: Provider, now: Date): Promise<TrialReport | null> {
  try {
    await metadataOf(provider, now, 'anew');
    return null;
  } catch (error) {
    const fault = faultOf(error, 'provider.unreachable');
    const step = failed('discovery', [['issuer', provider.issuer]], fault);
    return { steps: [step], outcome: null, userId: null };
  }
}

/** Processes a provider's answer as a sign-in would, and reports each step. Changes nothing. */
export async function tryAnswer(answer: Answer, now: Date): Promise<TrialReport> {
  const { provider, asked, query } = answer;
  const steps: TrialStep[] = [];
  const ended = (error: unknown, step: TrialStep['step'], facts: Fact[] = []): TrialReport => ({
    steps: [...steps, failed(step, facts, error)],
    outcome: null,
    userId: null,
  });
  const found = await metadataOf(provider, now).catch((error: unknown) => faultOf(error));
  if (found instanceof ProviderFault) return ended(found, 'discovery');
  steps.push(well('discovery', factsOf(found)), await requestStep(provider, asked, now));
  const heard = new Heard(found, kinds[provider.kind].protocol === 'openid');
  try {
    const said = await readAnswerOf(answer, now, heard.watch);
    steps.push(well('answer', answerFacts(query)), ...heard.steps());
    if (kinds[provider.kind].protocol !== 'openid')
      steps.push(well('profile', claimFacts({ id: said.subject, ...said.claims })));
    return await judged(provider, said, steps);
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    const at = heard.failedAt();
    if (at === 'answer') return ended(error, 'answer', answerFacts(query));
    steps.push(well('answer', answerFacts(query)));
    const before = heard.steps();
    const broken = before.find(({ step }) => step === at);
    steps.push(...before.filter((each) => each !== broken));
    return ended(error, at, broken?.facts);
  }
}

/** Adds the step that finds the account, and the outcome. */
async function judged(provider: Provider, said: Said, steps: TrialStep[]): Promise<TrialReport> {
  const facts = await personFacts(provider, said);
  try {
    demandDomain(provider, said);
  } catch (error) {
    return { steps: [...steps, failed('person', facts, error)], outcome: null, userId: null };
  }
  const match = await matchAccount(provider, said);
  const step =
    match.is === 'unknown'
      ? failed('person', facts, unlinkedFault(provider, match.email))
      : well('person', facts);
  return { steps: [...steps, step], ...(await outcomeOf(match)) };
}

async function outcomeOf(match: AccountMatch): Promise<Pick<TrialReport, 'outcome' | 'userId'>> {
  if (match.is === 'claimed') return { outcome: 'claimed', userId: match.user.id };
  if (match.is !== 'linked') return { outcome: match.is, userId: null };
  const { userId } = match.identity;
  const user = await findUser(userId);
  return { outcome: user && !user.disabled ? 'linked' : 'closed', userId };
}

const factsOf = (metadata: ServerMetadata): Fact[] =>
  (
    [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'jwks_uri',
      'userinfo_endpoint',
      'token_endpoint_auth_methods_supported',
      'id_token_signing_alg_values_supported',
      'authorization_response_iss_parameter_supported',
    ] as const
  ).flatMap((name): Fact[] => {
    const value = metadata[name];
    return value === undefined ? [] : [[name, shown(value)]];
  });

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Parameters that only the two sides may know: their values are masked. */
const secretParams = new Set(['state', 'nonce', 'code_challenge', 'code']);

async function requestStep(provider: Provider, asked: Asked, now: Date): Promise<TrialStep> {
  const { searchParams } = new URL(await addressAt(provider, asked, hidden, now));
  const facts = [...searchParams].map(
    ([name, value]): Fact => [name, secretParams.has(name) ? hidden : value],
  );
  return well('request', facts);
}

/** The parameters shown of an answer; anything else that came is ignored. */
const answerParams = ['code', 'state', 'iss', 'error', 'error_description'];

const answerFacts = (query: URLSearchParams): Fact[] =>
  answerParams.flatMap((name): Fact[] => {
    const value = query.get(name);
    return value === null ? [] : [[name, secretParams.has(name) ? hidden : value]];
  });

const mostClaims = 20;

function claimFacts(claims: Claims): Fact[] {
  const all = Object.entries(claims).filter(([, value]) => value !== undefined);
  const facts = all
    .slice(0, mostClaims)
    .map(([name, value]): Fact => [name, name === 'nonce' ? hidden : shown(value)]);
  return all.length > mostClaims ? [...facts, ['…', `+${all.length - mostClaims}`]] : facts;
}

async function personFacts(provider: Provider, said: Said): Promise<Fact[]> {
  const { claims, issuer, subject } = said;
  const { verified, organisation } = kinds[provider.kind];
  const groups = groupsSaid(provider, claims);
  const names = groups && (await groupsWithIds(groups)).map(({ name }) => name);
  const told = (name: string): Fact => {
    const value = claimAt(claims, name);
    return [name, value === undefined ? '—' : shown(value)];
  };
  return [
    ['iss', issuer],
    ['sub', subject],
    told('email'),
    told(verified.claim),
    ...(organisation && provider.domains.length > 0 ? [told(organisation)] : []),
    ...(provider.groupsClaim === null
      ? []
      : [told(provider.groupsClaim), ['→', names?.join(', ') || '—'] as Fact]),
    ...(provider.trustsSecondFactor ? [['amr → mfa', String(saysMfa(claims))] as Fact] : []),
  ];
}

/** Collects what a provider answers while its answer is being checked. */
class Heard {
  readonly #metadata: ServerMetadata;
  readonly #hasIdToken: boolean;
  readonly #steps: TrialStep[] = [];
  #isAsked = false;
  #hasTokens = false;
  #profileAsked = false;

  constructor(metadata: ServerMetadata, hasIdToken: boolean) {
    this.#metadata = metadata;
    this.#hasIdToken = hasIdToken;
  }

  readonly watch: Watch = async (address, answer) => {
    const { token_endpoint, userinfo_endpoint } = this.#metadata;
    if (isAt(address, token_endpoint)) {
      this.#isAsked = true;
      if (answer) await this.#hearTokens(answer);
    } else if (isAt(address, userinfo_endpoint)) {
      this.#profileAsked = true;
      if (answer) this.#steps.push(well('profile', claimFacts(await membersOf(answer))));
    }
  };

  async #hearTokens(answer: Response): Promise<void> {
    const said = await membersOf(answer);
    this.#hasTokens = typeof said.access_token === 'string';
    const { header, claims } = readToken(said.id_token);
    const facts = ['access_token', 'token_type', 'expires_in', 'scope', 'id_token', 'error'];
    this.#steps.push(
      well('tokens', [
        ['status', String(answer.status)],
        ...[...facts, 'error_description'].flatMap((name): Fact[] => {
          if (said[name] === undefined) return [];
          return [[name, name.endsWith('_token') ? hidden : shown(said[name])]];
        }),
        ...(header
          ? [['alg', shown(header.alg)] as Fact, ['kid', shown(header.kid ?? '—')] as Fact]
          : []),
      ]),
    );
    if (claims) this.#steps.push(well('claims', claimFacts(claims)));
  }

  /** The steps seen so far, each once. */
  steps(): TrialStep[] {
    return this.#steps;
  }

  /** The step that failed, judging by how far the requests got. */
  failedAt(): TrialStep['step'] {
    if (!this.#isAsked) return 'answer';
    if (!this.#hasTokens) return 'tokens';
    return this.#profileAsked || !this.#hasIdToken ? 'profile' : 'claims';
  }
}

/** Whether a requested address is an endpoint, however the endpoint is spelled. */
const isAt = (address: string, endpoint: string | undefined) =>
  endpoint !== undefined && URL.canParse(endpoint) && new URL(endpoint).href === address;

/** The members of a JSON object; none of anything else. */
async function membersOf(answer: Response): Promise<Claims> {
  try {
    const said = (await answer.json()) as unknown;
    return said !== null && typeof said === 'object' && !Array.isArray(said)
      ? (said as Claims)
      : {};
  } catch {
    return {};
  }
}

/** The content of an ID token, unverified. */
function readToken(token: unknown) {
  try {
    const text = String(token);
    return { header: decodeProtectedHeader(text), claims: decodeJwt(text) as Claims };
  } catch {
    return { header: null, claims: null };
  }
}
