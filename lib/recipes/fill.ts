import { randomBytes } from 'node:crypto';
import type { SiteFact } from '../oauth/site.ts';
import type { Answers, Block, FilledBlock, Recipe, ServerAddresses } from './recipe.ts';
import { chooseLines, type Facts, fillGaps } from './template.ts';
import { literal } from './text.ts';

/**
 * A client as a recipe needs it, in the fields used to create clients; the name is asked for
 * separately.
 */
type RecipeClient = {
  homePage: string | null;
  type: Recipe['client']['type'];
  grants: string[];
  scopes: string[];
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  backchannelLogoutUri: string | null;
  requirePkce: boolean | null;
  requireClientAuthOnRefresh: boolean | null;
  resourceServer: boolean;
  sendIss: boolean;
  idTokenAlg: Recipe['client']['idTokenAlg'];
  firstParty?: boolean;
  guardedSites?: string[];
  openPaths?: string[];
  siteHeaders?: Record<string, SiteFact>;
  appPasswords?: boolean;
};

const sendsPkce: readonly Recipe['client']['pkce'][] = ['by default', 'by the text'];

/**
 * The client to create for these answers. PKCE is required if the software sends it, by default or
 * because the text says so, client authentication on refresh whenever there is a secret.
 */
export function clientOf(recipe: Recipe, answers: Answers): RecipeClient {
  const { type, grants, scopes, pkce, resourceServer, sendIss, idTokenAlg } = recipe.client;
  const { homePage, postLogoutRedirectUris, backchannelLogoutUri, guard } = recipe;
  return {
    homePage: homePage === undefined ? (answers.address ?? null) : filledOrNone(homePage, answers),
    type,
    grants: [...grants],
    scopes: [...scopes],
    redirectUris: redirectUrisOf(recipe, answers),
    postLogoutRedirectUris: postLogoutRedirectUris.map((uri) => fillGaps(uri, answers)),
    backchannelLogoutUri: filledOrNone(backchannelLogoutUri ?? null, answers),
    requirePkce: sendsPkce.includes(pkce) ? true : null,
    requireClientAuthOnRefresh:
      type === 'confidential' && grants.includes('refresh_token') ? true : null,
    resourceServer,
    sendIss,
    idTokenAlg,
    ...(guard && { ...guard, guardedSites: siteOf(answers), firstParty: true }),
  };
}

const siteOf = ({ address = '' }: Answers) => [new URL(address).origin];

/** The redirect URIs of the client to create for these answers. */
export const redirectUrisOf = ({ redirectUris }: Recipe, answers: Answers): string[] =>
  redirectUris.map((uri) => fillGaps(uri, answers));

const filledOrNone = (text: string | null, answers: Answers) =>
  text === null ? null : fillGaps(text, answers);

/** The default name of an app; empty if only its developer knows the name. */
export function suggestedName({ appName, kind, name }: Recipe): string {
  return appName ?? (kind === 'program' ? name : '');
}

/**
 * The credentials of a client. The secret is only shown once: null leaves a gap that says so.
 * `freshSecret` is given where many people read the same page; otherwise a random value is
 * generated.
 */
type Credentials = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  freshSecret?: string;
};

/** The placeholder where the secret has to be filled in by hand. */
export const secretGap = 'YOUR-CLIENT-SECRET';
/**
 * The placeholder for a random value that must stay secret; `openssl rand -base64 32` generates
 * one.
 */
export const freshGap = 'YOUR-RANDOM-SECRET';

/** Fills in the texts to paste. The answers are the result of `judgeAnswers`. */
export function fillRecipe(
  recipe: Recipe,
  answers: Answers,
  {
    issuer,
    clientId,
    clientSecret,
    freshSecret = randomBytes(32).toString('base64url'),
  }: Credentials,
): FilledBlock[] {
  const [redirectUri = ''] = redirectUrisOf(recipe, answers);
  const facts: Record<string, string> = {
    ...answers,
    ...serverAddresses(issuer),
    clientId,
    clientSecret: clientSecret ?? secretGap,
    redirectUri,
    freshSecret,
  };
  for (const [name, value] of Object.entries(recipe.values)) facts[name] = fillGaps(value, facts);
  return recipe.blocks.map((block) => fillBlock(block, facts));
}

/** Fills in one thing to paste. `isTrue` says which lines to choose. @throws Error for a bad value */
export function fillBlock(
  block: Block,
  facts: Facts,
  isTrue: (word: string) => boolean = (word) => word === block.language,
): FilledBlock {
  const { language } = block;
  const title = fillGaps(block.title, facts);
  if (block.language === 'form') {
    const fields = block.fields.map(
      ([label, value]) => [fillGaps(label, facts), fillGaps(value, facts)] as const,
    );
    const text = fields.map(([label, value]) => `${label}: ${value}\n`).join('');
    return { title, language, text, fields };
  }
  const write = (value: string) => literal(block.language, value);
  const text = fillGaps(chooseLines(block.text, facts, isTrue), facts, write);
  return { title, language, text, fields: null };
}

/** The endpoints of the server with this issuer. */
export function serverAddresses(issuer: string): ServerAddresses {
  return {
    issuer,
    discovery: `${issuer}/.well-known/openid-configuration`,
    authorize: `${issuer}/oauth/authorize`,
    token: `${issuer}/oauth/token`,
    device: `${issuer}/oauth/device_authorization`,
    userinfo: `${issuer}/oauth/me`,
    jwks: `${issuer}/oauth/jwks`,
    logout: `${issuer}/oauth/logout`,
    revoke: `${issuer}/oauth/revoke`,
    introspect: `${issuer}/oauth/introspect`,
  };
}
