import { randomBytes } from 'node:crypto';
import type { Answers, Block, ClientTraits, Filling, Recipe, ServerAddresses } from './recipe.ts';

/** A client as a recipe wants it, in the fields that clients are made with; its name is asked for. */
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

/**
 * The client to make for these answers. PKCE is demanded where the software sends it by itself, a
 * secret at the refresh wherever there is one.
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
    requirePkce: pkce === 'by default' ? true : null,
    requireClientAuthOnRefresh:
      type === 'confidential' && grants.includes('refresh_token') ? true : null,
    resourceServer,
    sendIss,
    idTokenAlg,
  };
}

/** What an app is called until somebody says otherwise; empty where only they know. */
export function suggestedName({ appName, kind, name }: Recipe): string {
  return appName ?? (kind === 'program' ? name : '');
}

/**
 * What a client has got. The secret is shown once: null leaves a gap that says so. `freshSecret` stands
 * where many read one page; else a value is made.
 */
type Credentials = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  freshSecret?: string;
};

/** A block whose text is whole; a form has its fields besides. */
export type FilledBlock = {
  title: string;
  language: Block['language'];
  text: string;
  fields: readonly (readonly [label: string, value: string])[] | null;
};

/** What stands where the secret has to be put in by hand. */
export const secretGap = 'YOUR-CLIENT-SECRET';
/** The same for a value that nobody else may know: `openssl rand -base64 32` makes one. */
export const freshGap = 'YOUR-RANDOM-SECRET';

/** What to paste, everything filled in. The answers are those of `judgeAnswers`. */
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

/** Where the server with this issuer answers. */
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
