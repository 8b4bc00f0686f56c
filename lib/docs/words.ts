/**
 * How the search reads words: what it leaves out, which spellings are one word, and which words
 * mean much the same. Names of a single section are beside it: `<!-- search: … -->`.
 */

/** Words of questions on any subject. */
const filler = new Set(
  'a about after all already also always am an and any anybody anyone are as at be because been before being but by can cannot could did do does doesn doing don during each either else ever every for from get gets getting give given gives go goes going got had has have having he hello help her here hi him his how however i if in into is isn it its itself just kept let like ll make makes making many may me might mine more most much must my myself need needed needs never no nor not now of off on once one only onto or other our out over own please possible properly put really same say says see shall she should show since so some somebody someone something still such sure than that the their them then there these they thing this those though through to too tried try trying under until up us use used uses using ve very want wants was way we well were what when where whether which while who whom whose why will with without won wont work working works would wrong vs versus difference between you your yours yourself'.split(
    ' ',
  ),
);

/** Several words that are one: the text is rewritten before it is divided. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bsingle[ -]sign[ -]?on\b/g, 'sso'],
  [/\bsingle[ -](?:sign|log)[ -]?(?:out|off)\b/g, 'signout slo'],
  [/\b(?:log|sign)(?:s|ged|ging|ned|ing)?[ -]?(?:in|on)(?:s|to)?\b/g, 'signin'],
  [/\b(?:log|sign)(?:s|ged|ging|ned|ing)?[ -]?(?:out|off)s?\b/g, 'signout'],
  [/\bsign(?:s|ed|ing)?[ -]?up\b/g, 'register'],
  [/\b(?:two|2|multi)[ -]?(?:factor|step)(?: (?:authentication|signin|verification))?\b/g, '2fa'],
  [/\bsecond[ -](?:factor|step)s?\b/g, '2fa'],
  [/\b(?:machine|m|server|service)[ -]?(?:to|2)[ -]?(?:machine|m|server|service)\b/g, 'm2m'],
  [/\bauthenticator apps?\b/g, 'totp'],
  [/\b(?:identity|openid|oidc|social|login|signin) providers?\b/g, 'idp'],
  [/\brelying part(?:y|ies)\b/g, 'app'],
  [/\bsingle[ -]page[ -]app(?:lication)?s?\b/g, 'spa'],
  [/\bturn(?:s|ed|ing)? off\b/g, 'disable'],
  [/\bturn(?:s|ed|ing)? on\b/g, 'enable'],
  [/\be-mails?\b/g, 'mail'],
  [/\bopen id\b/g, 'openid'],
  [/\bc sharp\b/g, 'c#'],
  [/\bdot ?net\b/g, '.net'],
];

/** Words that are one here, the first of each list. */
const same = [
  'user users person people persons',
  'app apps application client',
  'mail email mailbox',
  'signin login logon authenticate',
  'signout logout logoff',
  'register registration signup',
  '2fa mfa tfa',
  'idp',
  'delete remove erase',
  'disable deactivate suspend',
  'organization organisation org orgs company',
  'postgresql postgres pg',
  'kubernetes k8s',
  'javascript js',
  'typescript ts',
  'configuration config configure',
  'expire expiry expiration lifetime ttl validity valid',
  'renew refresh',
  'revoke revocation',
  'redirect callback',
  'address url uri urls uris',
  'database db',
  'documentation docs doc',
  'settings setting option options preferences',
  'error errors exception failure fail fault',
  'admin administrator admins',
  'spa',
  'logo icon',
  'colour color',
  'rotate rotation rollover',
  'picture avatar photo image',
];

/** Words that mean much the same: each finds the others, a little lower. */
const near = [
  'user account profile member',
  'signin session password',
  'sso signin',
  'idp provider social federation upstream',
  '2fa totp passkey factor otp',
  'passkey webauthn fido fido2 passwordless biometric',
  'm2m service client_credentials daemon cron',
  'permission role group right authorization rbac',
  'expire duration long age',
  'limit throttle quota 429',
  'disable block ban lock enable',
  'revoke delete end kick',
  'rotate change replace new',
  'verify check validate decode confirm',
  'organization tenant realm workspace',
  'app integration',
  'migrate import move transfer switch',
  'log audit activity history event',
  'server host instance machine',
  'install deploy deployment setup run',
  'update upgrade version',
  'forgot reset lost recover',
  'brand branding theme logo colour style look',
  'library sdk package',
  'metrics monitoring prometheus grafana',
  'consent approve approval allow permission',
  'mobile android ios iphone',
  'docker container compose',
  'claim attribute field',
  'error problem trouble debug',
  'scim provisioning provision',
  'invite invitation',
  'https tls ssl certificate',
  'cluster replica ha availability',
  'proxy nginx caddy traefik',
  'smtp mail',
  'language translation locale i18n',
  'limit maximum size',
  'list export',
  'audience aud resource',
  'add create new',
  'company tenant',
];

/** Words that would be cut to another one. */
const irregular = new Map([
  ['setting', 'setting'],
  ['settings', 'setting'],
  ['validate', 'verify'],
  ['validation', 'verify'],
  ['validating', 'verify'],
  ['organization', 'organization'],
  ['organizations', 'organization'],
]);

const canonical = new Map(
  same.flatMap((line) => {
    const [first = '', ...rest] = line.split(' ');
    return [first, ...rest].map((each) => [stemOf(each), stemOf(first)] as const);
  }),
);

const neighbours = new Map<string, string[]>();
for (const line of near) {
  const stems = line.split(' ').map(termOf);
  for (const stem of stems)
    neighbours.set(stem, [
      ...(neighbours.get(stem) ?? []),
      ...stems.filter((each) => each !== stem),
    ]);
}

/** Letters and digits, with what joins them: `gatehouse.yaml`, `redirect_uri`, `127.0.0.1`, `c#`. */
const word = /(?<![\p{L}\p{N}])\.?[\p{L}\p{N}_]+(?:[.:/-]+[\p{L}\p{N}_]+)*(?:#|\+\+)?/gu;

/** A word of a text: as it is written, what it counts as, and what that consists of. */
export type Word = { written: string; term: string; parts: readonly string[] };

/** The words of a text in lower case, filler among them. */
export function wordsOf(text: string): Word[] {
  const plain = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/'(?:s|re|ve|ll|t|d|m)\b/g, '');
  const rewritten = phrases.reduce((before, [from, to]) => before.replace(from, ` ${to} `), plain);
  return (rewritten.match(word) ?? []).map(read);
}

/** Words that were read before: the index is made of few words that come again. */
const known = new Map<string, Word>();
const mostKnown = 20_000;

function read(written: string): Word {
  const before = known.get(written);
  if (before) return before;
  const pieces = written.split(/[._:/-]+|(?<=\p{L})(?=\d)/u).filter(Boolean);
  const joined = pieces.length > 1 && /[-.]/.test(written) ? [pieces.join('')] : [];
  const parts = pieces.length > 1 ? [...joined, ...pieces.map(termOf)] : [];
  const word = { written, term: termOf(written), parts };
  if (known.size < mostKnown) known.set(written, word);
  return word;
}

/** The words that a word is made of, or the word alone. */
export const piecesOf = ({ written, term, parts }: Word): readonly string[] => {
  const pieces = parts.filter((part) => part !== written.replace(/[._:/-]+/g, ''));
  return pieces.length > 0 ? pieces : [term];
};

/** Whether a word says nothing of what is sought. */
export const isFiller = ({ written }: Word): boolean =>
  filler.has(written) || (written.length < 2 && !/\p{N}/u.test(written));

/** Every spelling that counts as another word, with that word. */
export const spellings: ReadonlyMap<string, string> = canonical;

/** Words that mean much the same. */
export const nearTo = (term: string): readonly string[] => neighbours.get(term) ?? [];

function termOf(written: string): string {
  const stem = stemOf(written);
  return canonical.get(stem) ?? stem;
}

/**
 * A word without its ending, so that its forms are one: `rotation`, `rotating`, `rotate`. Names with
 * digits and underscores stay as they are.
 */
function stemOf(written: string): string {
  const whole = irregular.get(written);
  if (whole !== undefined || written.length < 4 || !/^[a-z]+$/.test(written))
    return whole ?? written;
  const single = written
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/(?<=[^sui])s$/, '');
  const bare = single
    .replace(/ification$/, 'ify')
    .replace(/(?<=[a-z]{3})(?:ation|ating|ated|ate)$/, '')
    .replace(/(?<=[a-z]{2}[st])ion$/, '')
    .replace(/(?<=[a-z]{6})ment$/, '')
    .replace(/(?<=[aeiouy][a-z]*[a-z])(?:ing|ed)$/, '')
    .replace(/(?<=([bdgmnprt]))\1$/, '');
  return bare.length > 3 ? bare.replace(/e$/, '') : bare;
}
