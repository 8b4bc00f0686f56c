import { randomBytes } from 'node:crypto';
import type { Answers, Block, ClientTraits, Filling, Recipe, ServerAddresses } from './recipe.ts';

/**
 * A client as a recipe needs it, in the fields used to create clients; the name is asked for
 * separately.
 */
type RecipeClient = {
  homePage: string | null;
  type: ClientTraits['type'];
  grants: string[];
  scopes: string[];
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  backchannelLogoutUri: string | null;
  requirePkce: boolean | null;
  requireClientAuthOnRefresh: boolean | null;
  resourceServer: boolean;
  sendIss: boolean;
  idTokenAlg: ClientTraits['idTokenAlg'];
};

const sendsPkce: readonly ClientTraits['pkce'][] = ['by default', 'by the text'];

/**
 * The client to create for these answers. PKCE is required if the software sends it, by default or
 * because the text says so, client authentication on refresh whenever there is a secret.
 */
export function clientOf(recipe: Recipe, answers: Answers): RecipeClient {
  const { type, grants, scopes, pkce, resourceServer, sendIss, idTokenAlg } = recipe.client;
  return {
    homePage: recipe.homePage ? recipe.homePage(answers) : (answers.address ?? null),
    type,
    grants: [...grants],
    scopes: [...scopes],
    redirectUris: recipe.redirectUris(answers),
    postLogoutRedirectUris: recipe.postLogoutRedirectUris?.(answers) ?? [],
    backchannelLogoutUri: recipe.backchannelLogoutUri?.(answers) ?? null,
    requirePkce: sendsPkce.includes(pkce) ? true : null,
    requireClientAuthOnRefresh:
      type === 'confidential' && grants.includes('refresh_token') ? true : null,
    resourceServer,
    sendIss,
    idTokenAlg,
  };
}

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

/** A block with all its values filled in; a form has its fields as well. */
export type FilledBlock = {
  title: string;
  language: Block['language'];
  text: string;
  fields: readonly (readonly [label: string, value: string])[] | null;
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
  const [redirectUri = ''] = recipe.redirectUris(answers);
  const filling: Filling = {
    server: serverAddresses(issuer),
    clientId,
    clientSecret: clientSecret ?? secretGap,
    redirectUri,
    freshSecret,
  };
  return recipe.blocks(answers, filling).map(fill);
}

function fill(block: Block): FilledBlock {
  const { title, language } = block;
  if (block.language !== 'form') return { title, language, text: block.text, fields: null };
  const text = block.fields.map(([label, value]) => `${label}: ${value}\n`).join('');
  return { title, language, text, fields: block.fields };
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
