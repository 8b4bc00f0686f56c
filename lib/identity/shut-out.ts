/** By its name and value, what says that somebody was shut out. */
type Mark = { name: string; value: string };

/** Judges one value: whether it says that its person may not come in. */
type Judge = (value: string, now: Date) => boolean;

/**
 * Finds the mark by which a program says that a person's account is off: disabled, blocked, locked
 * or expired. One place for every program, so that nobody who was shut out comes in. A value that
 * cannot be understood shuts out: its meaning cannot be known, and an admin can enable the account.
 * @param said members, attributes or cells by their names
 * @returns null if there is none
 */
export function shutOutBy(
  said: Iterable<readonly [name: string, value: unknown]>,
  now = new Date(),
): Mark | null {
  for (const [name, values] of said) {
    const judge = judgeOf(folded(name));
    if (!judge) continue;
    for (const value of [values].flat()) {
      const text = wordOf(value);
      if (text !== '' && judge(text, now)) return { name: name.trim(), value: text };
    }
  }
  return null;
}

/** The same for the members of an object. */
export const isShutOut = (said: object): boolean => shutOutBy(Object.entries(said)) !== null;

/** Whether a member of this name can be a mark. */
export const isMark = (name: string): boolean => judgeOf(folded(name)) !== undefined;

const folded = (text: string) =>
  text
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '');
const wordOf = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value).trim().slice(0, 200);

const owner = '(?:is)?(?:account|user|login|signin|credential)?(?:account)?(?:is)?';
const off = [
  'disabled?',
  'blocked',
  'block',
  'suspend(?:ed)?',
  'locked',
  'lock',
  'lockedout',
  'banned',
  'deactivated',
  'deprovisioned',
  'deleted',
  'erased',
  'archived',
  'retired',
  'inactive',
  'closed',
  'terminated',
  'forbidden',
  'prohibited',
  'gesperrt',
  'deaktiviert',
  'desactive',
  'inactif',
  'bloque',
  'inactivo',
  'bloqueado',
  'desactivado',
  'inativo',
  'desativado',
  'inattivo',
  'bloccato',
  'disattivato',
].join('|');
const isOff = new RegExp(`^${owner}(?:${off})(?:at|on|since|date|time|timestamp)?$`);
const isOn = new RegExp(
  `^${owner}(?:enabled|enableduser|active|allowed|approved|aktiv|aktiviert|actif|activo|activado|ativo|attivo)(?:yn)?$`,
);
const isStatus =
  /^(?:(?:account|user|signin|login|inetuser|zimbraaccount|mailuser|new)?status(?:readonly|uploadonly)?|(?:account|user)state)$/;
/** Names that can also be of something else, such as a region or a contract. */
const isVague = /^(?:state|statut|estado|stato|lifecyclestate|employ(?:ee|ment)status)$/;

function judgeOf(name: string): Judge | undefined {
  if (Object.hasOwn(named, name)) return named[name];
  if (isOff.test(name)) return saysYes;
  if (isOn.test(name)) return saysNo;
  if (isVague.test(name)) return isOffState;
  return isStatus.test(name) ? isOffWord : undefined;
}

const noWords =
  /^(?:false|no|n|f|off|0|nein|falsch|non|nao|não|never|none|null|nie|-|not set|n\/a|0000-00-00.*)$/i;
const yesWords = /^(?:true|yes|y|t|on|1|x|ja|wahr|oui|vrai|si|sí|sì|sim)$/i;
const saysYes: Judge = (value) => !noWords.test(value);
const saysNo: Judge = (value) => !yesWords.test(value);

/** What Okta, Google, Cognito, Entra and others call an account that is not off. */
const onWords = new Set([
  'active',
  'enabled',
  'ok',
  'normal',
  'allowed',
  'valid',
  'verified',
  'approved',
  'aktiv',
  'confirmed',
  'unconfirmed',
  'resetrequired',
  'forcechangepassword',
  'passwordexpired',
  'staged',
  'provisioned',
  'recovery',
  'pending',
  'pendinguseraction',
  'pendingactivation',
  'invited',
  'new',
  'actif',
  'activo',
  'true',
  'yes',
  '1',
  'pendingacceptance',
  'accepted',
  'member',
  'owner',
  'primaryowner',
  'admin',
  'guest',
  'singlechannelguest',
  'multichannelguest',
  'unlocked',
  'initial',
]);
const isOffWord: Judge = (value) => !onWords.has(wordIn(value));
/** ZITADEL writes `USER_STATE_ACTIVE`. */
const wordIn = (value: string) => folded(value).replace(/^userstat(?:e|us)/, '');

/** Of words that can also mean something else: what says that an account is off. */
const isOffState: Judge = (value) => new RegExp(`^(?:${off})$`).test(wordIn(value));

/** Whether one of these bits is set, also in hexadecimal or in words. */
const hasBits =
  (bits: number): Judge =>
  (value) => {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return (number & bits) !== 0;
    return !/normal|enabled/i.test(value) || /disable|lock/i.test(value);
  };
const isNotZero: Judge = (value) => !noWords.test(value) && !/^0+$/.test(value);

const never = Number.POSITIVE_INFINITY;
const isNumber = /^-?\d{1,19}(?:\.0+)?$/;

/** Whether a moment is over. @param read understands the program's own numbers */
const isOver =
  (read = dateOfNumber): Judge =>
  (value, now) => {
    if (noWords.test(value) && value !== '0') return false;
    return !(timeOf(value, read) > now.getTime());
  };

/** Whether a moment until which somebody is shut out is still to come. */
const isStillTo: Judge = (value, now) =>
  !noWords.test(value) && !(timeOf(value, dateOfNumber) <= now.getTime());

const timeOf = (value: string, read: (number: number) => number): number =>
  isNumber.test(value) ? read(Number(value)) : dateOf(value);

/** Generalized time (RFC 4517 3.3.13), days as in Germany, and what `Date` reads. */
function dateOf(value: string): number {
  const [, year = '', month, day, hour, minute = '00', second = '00', zone = 'Z'] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)?(\d\d)?(?:[.,]\d+)?(Z|[+-]\d{4})?$/.exec(value) ?? [];
  if (year) {
    const offset = zone.replace(/^(.\d\d)(\d\d)$/, '$1:$2');
    return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  }
  return Date.parse(value.replace(/^(\d\d?)\.(\d\d?)\.(\d{4})/, '$3-$2-$1'));
}

/** Seconds, milliseconds, or Windows' hundreds of nanoseconds since 1601; 0 means never. */
function dateOfNumber(number: number): number {
  if (number <= 0 || number >= 9.2e18 || number === 2_147_483_647) return never;
  if (number > 1e16) return number / 1e4 - 11_644_473_600_000;
  if (/^\d{8}$/.test(String(number))) return dateOf(`${number}00`);
  return number > 1e11 ? number : number * 1000;
}

/** Days since 1970 (shadow(5)). `chage -E 0` is how accounts are closed. */
const dateOfDays = (number: number): number => (number < 0 ? never : number * 86_400_000);

/** Marks with a form of their own, by their names in small letters and digits. */
const named: Readonly<Record<string, Judge>> = {
  // Active Directory, Samba.
  useraccountcontrol: hasBits(0x2 | 0x10),
  msdsuseraccountcontrolcomputed: hasBits(0x2 | 0x10),
  msdsuseraccountdisabled: saysYes,
  accountexpires: isOver(),
  accountexpirationdate: isOver(),
  lockouttime: isNotZero,
  sambaacctflags: (value) => /[DL]/.test(value),
  sambakickofftime: isOver(),
  // OpenLDAP's ppolicy; IBM; ApacheDS.
  pwdaccountlockedtime: isNotZero,
  ibmpwdaccountlocked: saysYes,
  pwdendtime: isOver(),
  // 389 Directory Server, FreeIPA; OpenDJ and PingDirectory; eDirectory; Oracle.
  nsaccountlock: saysYes,
  dspwpaccountdisabled: saysYes,
  dspwpaccountexpirationtime: isOver(),
  lockedbyintruder: saysYes,
  loginexpirationtime: isOver(),
  orclisenabled: (value) => !/^enabled$/i.test(value),
  // Kerberos: MIT's DISALLOW_ALL_TIX, Heimdal's `invalid`.
  krbprincipalexpiration: isOver(),
  krbticketflags: hasBits(0x40),
  krb5validend: isOver(),
  krb5kdcflags: hasBits(0x80),
  shadowexpire: isOver(dateOfDays),
  // WordPress: 0, or why not; multisite marks spam.
  userstatus: (value, now) => (isNumber.test(value) ? Number(value) !== 0 : isOffWord(value, now)),
  spam: saysYes,
  // Supabase, Discourse, Mattermost, Entra, Microsoft 365, Google.
  banneduntil: isStillTo,
  suspendeduntil: isStillTo,
  suspendedtill: isStillTo,
  lockeduntil: isStillTo,
  deleteat: isNotZero,
  blockcredential: saysYes,
  blocksignin: saysYes,
  blocksigninyesnoaccountenabledrequired: saysYes,
  // Gitea, Forgejo.
  prohibitlogin: saysYes,
  canlogin: saysNo,
  cansignin: saysNo,
  // Moodle: the way to sign in.
  auth: (value) => /^nologin$/i.test(value),
  softdeletiontimestamp: saysYes,
  deleteddatetime: saysYes,
  validuntil: isOver(),
  accountexpiry: isOver(),
  accountexpiration: isOver(),
  terminationdate: isOver(),
  accountexpiresat: isOver(),
};

/** How Unix closes an account: `usermod -L` writes a `!` before the hash, Solaris `*LK*`. */
export const isLockedHash = (hash: string): boolean => /^(?:\{crypt\})?(?:!+\$|\*LK\*)/i.test(hash);
