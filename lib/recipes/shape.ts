import { z } from 'zod';
import { type GrantType, grantTypes, usualGrantTypes } from '../oauth/grant-types.ts';
import { siteFacts } from '../oauth/site.ts';

/** The kinds in the order in which people browse them: their own apps first. */
export const recipeKinds = ['stack', 'plain', 'program'] as const;

const text = z.string().min(1);

/** What a field says of itself if its question does not. */
const usualHints = {
  origin: 'The address people type into their browser.',
  site: 'The address people type into their browser, up to where the program starts.',
  name: 'It’s part of the redirect URI. Use the same name in both places.',
  scheme: '',
} as const;

/** A question asked before an app is connected. Each kind has its own check (`answers.ts`). */
const question = z
  .strictObject({
    /** `origin`: scheme, host and port. `site`: the same, optionally with a path. */
    kind: z.enum(['origin', 'site', 'name', 'scheme']),
    /** The label of the field, a short question. */
    label: text,
    /** What the answer is used for, in one sentence. */
    hint: text.optional(),
    /** A valid answer, shown while the field is empty and in refusals. */
    placeholder: text.optional(),
    /** The initial value of the field. */
    suggestion: text.optional(),
  })
  .refine(({ placeholder, suggestion }) => placeholder ?? suggestion, {
    path: ['placeholder'],
    error: 'a valid answer as an example, or a suggestion',
  })
  .transform(({ kind, label, hint, placeholder, suggestion = '' }) => ({
    kind,
    label,
    hint: hint ?? usualHints[kind],
    placeholder: placeholder ?? suggestion,
    suggestion,
  }));

export type Question = z.infer<typeof question>;

/** What the software needs of its client with default settings. */
const traits = z.strictObject({
  type: z.enum(['confidential', 'public']),
  grants: z.array(z.enum(Object.keys(grantTypes) as GrantType[])),
  scopes: z.array(text),
  /** When the software sends PKCE: by default, because the text to paste says so, or never. */
  pkce: z.enum(['by default', 'by the text', 'no', 'not checked']),
  /** How the software authenticates as the client (RFC 6749 section 2.3.1). */
  authentication: z.enum(['basic', 'post', 'basic or post', 'none', 'not checked']),
  /** Off if the library mistakes `iss` (RFC 9207) for something else. */
  sendIss: z.boolean(),
  idTokenAlg: z.enum(['RS256', 'ES256']),
  /** It introspects tokens of other clients. */
  resourceServer: z.boolean(),
});

type ClientTraits = z.infer<typeof traits>;

const web: ClientTraits = {
  type: 'confidential',
  grants: [...usualGrantTypes],
  scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
  pkce: 'no',
  authentication: 'basic or post',
  sendIss: true,
  idTokenAlg: 'RS256',
  resourceServer: false,
};
// Without a secret, it always sends PKCE (RFC 9700 section 2.1.1).
const withoutSecret: ClientTraits = {
  ...web,
  type: 'public',
  pkce: 'by default',
  authentication: 'none',
};

/** The clients that recipes start from. */
const usualClients = {
  /** An app that signs people in on its own server; it may refresh tokens and receive groups. */
  web,
  public: withoutSecret,
  /** A program that acts on its own: no one signs in to it. */
  service: { ...web, grants: ['client_credentials'], scopes: [] },
  /** A program without a sign-in of its own: a proxy asks before it lets a request through. */
  guarded: {
    ...web,
    grants: ['authorization_code'],
    scopes: ['openid', 'profile', 'email', 'groups'],
    authentication: 'none',
  },
  // It uses a server on behalf of a person, and does not need to know their groups.
  mcp: { ...withoutSecret, scopes: ['openid', 'profile', 'email', 'offline_access'] },
} as const satisfies Record<string, ClientTraits>;

const client = traits
  .partial()
  .extend({ like: z.enum(['web', 'public', 'service', 'guarded', 'mcp']).default('web') })
  .transform(({ like, ...own }): ClientTraits => ({ ...usualClients[like], ...own }));

/** How a proxy guards the program at its address. */
const guard = z.strictObject({
  /** Paths that need no sign-in, because the program proves itself there in another way. */
  openPaths: z.array(text).default([]),
  /** Other names for what the program is told of the user. */
  siteHeaders: z.record(text, z.enum(siteFacts)).default({}),
  /** Programs that cannot open a browser come with app passwords. */
  appPasswords: z.boolean().default(false),
});

/**
 * How a text is known to work: tests run it against this server, a person ran it by hand on a given
 * day, or it comes from documentation only.
 */
const checked = z
  .string()
  .refine((said) => /^(run|documentation)$/.test(said) || Date.parse(`${said} UTC`) < Date.now(), {
    error: 'run, documentation, or the day on which somebody ran it (22 November 2026)',
  })
  .transform((said) => (said === 'run' || said === 'documentation' ? said : { byHand: said }));

/** The facts of a recipe: what stands above its text. */
export const recipeFacts = z.strictObject({
  name: text,
  /** The slug of its icon in the package `simple-icons`, if there is one that we may show. */
  mark: text.optional(),
  /**
   * The name that people use for the app. If left out: the recipe's name for a program, empty for
   * other apps.
   */
  appName: z.string().optional(),
  kind: z.enum(recipeKinds),
  /** Its place among those of its kind, which are sorted by name otherwise. */
  place: z.number().default(0),
  /** What the software is, in a few words. */
  summary: text,
  /** What else people search for who need this recipe, separated by commas. */
  names: text.optional(),
  /** In the order asked. */
  questions: z.record(z.string().regex(/^[a-z]+$/), question).default({}),
  client: client.default(() => web),
  redirectUris: z.array(text).default([]),
  postLogoutRedirectUris: z.array(text).default([]),
  backchannelLogoutUri: text.optional(),
  guard: guard.optional(),
  /** Where people open the app. If left out: the answer `address`, if there is one. */
  homePage: text.nullable().optional(),
  /** Values that are made from others, for the text. */
  values: z.record(z.string().regex(/^[a-z][A-Za-z]*$/), text).default({}),
  checked,
  version: text,
  sources: z.array(text).min(1),
  notChecked: z.array(text).default([]),
});

export type RecipeFacts = z.infer<typeof recipeFacts>;
