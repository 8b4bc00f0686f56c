import { dnKey } from '../identity/directory/dn.ts';
import { loginKey, normalKey } from '../store/users.ts';

/** How values of a syntax are compared: two are equal if their keys are; null: no such value. */
type Syntax = {
  oid: string;
  says: string;
  equality: string;
  ordering?: string;
  substrings?: string;
  key: (value: string) => string | number | null;
};

/** RFC 4518: case, width and the number of blanks make no difference. */
const folded = (value: string) => normalKey(value).replace(/\s+/g, ' ').trim();

const syntaxes = {
  text: {
    oid: '1.3.6.1.4.1.1466.115.121.1.15',
    says: 'Directory String',
    equality: 'caseIgnoreMatch',
    ordering: 'caseIgnoreOrderingMatch',
    substrings: 'caseIgnoreSubstringsMatch',
    key: folded,
  },
  mail: {
    oid: '1.3.6.1.4.1.1466.115.121.1.26',
    says: 'IA5 String',
    equality: 'caseIgnoreIA5Match',
    substrings: 'caseIgnoreIA5SubstringsMatch',
    key: loginKey,
  },
  exact: {
    oid: '1.3.6.1.4.1.1466.115.121.1.26',
    says: 'IA5 String',
    equality: 'caseExactIA5Match',
    key: (value) => value,
  },
  phone: {
    oid: '1.3.6.1.4.1.1466.115.121.1.50',
    says: 'Telephone Number',
    equality: 'telephoneNumberMatch',
    substrings: 'telephoneNumberSubstringsMatch',
    key: (value) => folded(value).replace(/[ -]/g, ''),
  },
  dn: {
    oid: '1.3.6.1.4.1.1466.115.121.1.12',
    says: 'DN',
    equality: 'distinguishedNameMatch',
    key: (value) => dnKey(value),
  },
  oid: {
    oid: '1.3.6.1.4.1.1466.115.121.1.38',
    says: 'OID',
    equality: 'objectIdentifierMatch',
    key: (value) => nameOfOid(value.trim()).toLowerCase(),
  },
  integer: {
    oid: '1.3.6.1.4.1.1466.115.121.1.27',
    says: 'INTEGER',
    equality: 'integerMatch',
    ordering: 'integerOrderingMatch',
    key: (value) => (/^-?\d{1,15}$/.test(value.trim()) ? Number(value) : null),
  },
  boolean: {
    oid: '1.3.6.1.4.1.1466.115.121.1.7',
    says: 'Boolean',
    equality: 'booleanMatch',
    key: (value) => (/^(true|false)$/i.test(value) ? value.toUpperCase() : null),
  },
  time: {
    oid: '1.3.6.1.4.1.1466.115.121.1.24',
    says: 'Generalized Time',
    equality: 'generalizedTimeMatch',
    ordering: 'generalizedTimeOrderingMatch',
    key: readTime,
  },
  uuid: {
    oid: '1.3.6.1.1.16.1',
    says: 'UUID',
    equality: 'UUIDMatch',
    ordering: 'UUIDOrderingMatch',
    key: (value) => (/^[0-9a-f-]{36}$/i.test(value) ? value.toLowerCase() : null),
  },
} as const satisfies Record<string, Syntax>;

type SyntaxName = keyof typeof syntaxes;
type Flag = 'single' | 'operational' | 'named';
/** `named`: sent only to those who ask for it by name, because another attribute says the same. */
type Attribute = readonly [name: string, oid: string, syntax: SyntaxName, ...flags: Flag[]];

const attributes: readonly Attribute[] = [
  ['objectClass', '2.5.4.0', 'oid'],
  ['cn', '2.5.4.3', 'text'],
  ['sn', '2.5.4.4', 'text'],
  ['givenName', '2.5.4.42', 'text'],
  ['displayName', '2.16.840.1.113730.3.1.241', 'text', 'single'],
  ['uid', '0.9.2342.19200300.100.1.1', 'text'],
  ['mail', '0.9.2342.19200300.100.1.3', 'mail'],
  ['telephoneNumber', '2.5.4.20', 'phone'],
  ['preferredLanguage', '2.16.840.1.113730.3.1.39', 'text', 'single'],
  ['description', '2.5.4.13', 'text'],
  ['ou', '2.5.4.11', 'text'],
  ['o', '2.5.4.10', 'text'],
  ['dc', '0.9.2342.19200300.100.1.25', 'text', 'single'],
  ['member', '2.5.4.31', 'dn'],
  ['uniqueMember', '2.5.4.50', 'dn', 'named'],
  ['memberOf', '1.2.840.113556.1.2.102', 'dn'],
  ['isMemberOf', '1.3.6.1.4.1.42.2.27.9.1.792', 'dn', 'named'],
  ['uidNumber', '1.3.6.1.1.1.1.0', 'integer', 'single'],
  ['gidNumber', '1.3.6.1.1.1.1.1', 'integer', 'single'],
  ['gecos', '1.3.6.1.1.1.1.2', 'text', 'single'],
  ['homeDirectory', '1.3.6.1.1.1.1.3', 'exact', 'single'],
  ['loginShell', '1.3.6.1.1.1.1.4', 'exact', 'single'],
  ['memberUid', '1.3.6.1.1.1.1.12', 'text'],
  ['entryUUID', '1.3.6.1.1.16.4', 'uuid', 'single', 'operational'],
  ['entryDN', '1.3.6.1.1.20', 'dn', 'single', 'operational'],
  ['createTimestamp', '2.5.18.1', 'time', 'single', 'operational'],
  ['modifyTimestamp', '2.5.18.2', 'time', 'single', 'operational'],
  ['structuralObjectClass', '2.5.21.9', 'oid', 'single', 'operational'],
  ['hasSubordinates', '2.5.18.9', 'boolean', 'single', 'operational'],
  ['subschemaSubentry', '2.5.18.10', 'dn', 'single', 'operational'],
  ['namingContexts', '1.3.6.1.4.1.1466.101.120.5', 'dn', 'operational'],
  ['supportedControl', '1.3.6.1.4.1.1466.101.120.13', 'oid', 'operational'],
  ['supportedExtension', '1.3.6.1.4.1.1466.101.120.7', 'oid', 'operational'],
  ['supportedFeatures', '1.3.6.1.4.1.4203.1.3.5', 'oid', 'operational'],
  ['supportedLDAPVersion', '1.3.6.1.4.1.1466.101.120.15', 'integer', 'operational'],
  ['vendorName', '1.3.6.1.1.4', 'exact', 'single', 'operational'],
  ['vendorVersion', '1.3.6.1.1.5', 'exact', 'single', 'operational'],
  ['attributeTypes', '2.5.21.5', 'text', 'operational'],
  ['objectClasses', '2.5.21.6', 'text', 'operational'],
  ['ldapSyntaxes', '1.3.6.1.4.1.1466.101.120.16', 'text', 'operational'],
  ['matchingRules', '2.5.21.4', 'text', 'operational'],
];

/** Object classes: what is above each, and the attributes of its entries. */
const classes: readonly [definition: string, name: string][] = [
  ["2.5.6.0 NAME 'top' ABSTRACT MUST objectClass", 'top'],
  ["2.5.6.4 NAME 'organization' SUP top STRUCTURAL MUST o", 'organization'],
  ["1.3.6.1.4.1.1466.344 NAME 'dcObject' SUP top AUXILIARY MUST dc", 'dcObject'],
  ["2.5.6.5 NAME 'organizationalUnit' SUP top STRUCTURAL MUST ou", 'organizationalUnit'],
  [
    "2.5.6.11 NAME 'applicationProcess' SUP top STRUCTURAL MUST cn MAY ( ou $ description )",
    'applicationProcess',
  ],
  ["2.5.6.6 NAME 'person' SUP top STRUCTURAL MUST ( sn $ cn ) MAY telephoneNumber", 'person'],
  ["2.5.6.7 NAME 'organizationalPerson' SUP person STRUCTURAL", 'organizationalPerson'],
  [
    "2.16.840.1.113730.3.2.2 NAME 'inetOrgPerson' SUP organizationalPerson STRUCTURAL MAY ( displayName $ givenName $ mail $ preferredLanguage $ uid $ memberOf $ isMemberOf )",
    'inetOrgPerson',
  ],
  [
    "2.5.6.9 NAME 'groupOfNames' SUP top STRUCTURAL MUST cn MAY ( member $ description )",
    'groupOfNames',
  ],
  [
    "2.5.6.17 NAME 'groupOfUniqueNames' SUP top STRUCTURAL MUST cn MAY ( uniqueMember $ description )",
    'groupOfUniqueNames',
  ],
  [
    "1.3.6.1.1.1.2.0 NAME 'posixAccount' SUP top AUXILIARY MUST ( cn $ uid $ uidNumber $ gidNumber $ homeDirectory ) MAY ( loginShell $ gecos $ description )",
    'posixAccount',
  ],
  [
    "1.3.6.1.1.1.2.2 NAME 'posixGroup' SUP top AUXILIARY MUST gidNumber MAY ( memberUid $ description )",
    'posixGroup',
  ],
];

const byName = new Map<string, Attribute>(
  attributes.flatMap((each) => [
    [each[0].toLowerCase(), each],
    [each[1], each],
  ]),
);
for (const [other, name] of [
  ['commonname', 'cn'],
  ['surname', 'sn'],
  ['userid', 'uid'],
  ['rfc822mailbox', 'mail'],
  ['organizationalunitname', 'ou'],
  ['gn', 'givenName'],
] as const)
  byName.set(other, byName.get(name.toLowerCase()) as Attribute);

/** An attribute of this server by a name or number of it, without its options; null: there is none. */
export function attributeNamed(text: string): string | null {
  return byName.get(text.split(';')[0]?.trim().toLowerCase() ?? '')?.[0] ?? null;
}

/** The attributes that are sent when all of a kind are asked for: `*`, and `+` (RFC 3673). */
export const allSentWith: Readonly<Record<string, readonly string[]>> = {
  '*': sentWith(false),
  '+': sentWith(true),
};

function sentWith(isOperational: boolean): string[] {
  return attributes
    .filter(([, , , ...flags]) => !flags.includes('named'))
    .filter(([, , , ...flags]) => flags.includes('operational') === isOperational)
    .map(([name]) => name);
}

/** How a value of an attribute is compared; null: it is no value of its syntax. */
export function keyOf(attribute: string, value: string): string | number | null {
  const syntax = byName.get(attribute.toLowerCase())?.[2] ?? 'text';
  return syntaxes[syntax].key(value);
}

/** A part of a value, compared as the whole is: blanks at its ends count. */
export function partKeyOf(attribute: string, part: string): string {
  const marked = `x${part}x`;
  return String(keyOf(attribute, marked) ?? marked).slice(1, -1);
}

export const isOrdered = (attribute: string): boolean =>
  'ordering' in syntaxes[byName.get(attribute.toLowerCase())?.[2] ?? 'text'];

function nameOfOid(text: string): string {
  const named = classes.find(([definition]) => definition.startsWith(`${text} NAME`));
  return named?.[1] ?? byName.get(text)?.[0] ?? text;
}

/** GeneralizedTime (RFC 4517 section 3.3.13) in milliseconds; null: it is none. */
function readTime(text: string): number | null {
  const form =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)?)?(?:[.,](\d{1,9}))?(?:Z|([+-])(\d\d)(\d\d)?)$/;
  const found = form.exec(text.trim());
  if (!found) return null;
  const [, year, month, day, hour, minute, second, fraction, sign, hours, minutes] = found;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour));
  const unit = second ? 1000 : minute ? 60_000 : 3_600_000;
  const part = Number(minute ?? 0) * 60_000 + Number(second ?? 0) * 1000;
  const off = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1);
  return at + part + Number(`0.${fraction ?? 0}`) * unit - off;
}

/** A moment as GeneralizedTime. */
export const timeText = (at: Date): string =>
  `${at
    .toISOString()
    .replace(/[-:T]/g, '')
    .replace(/\.\d+Z$/, '')}Z`;

const rules: readonly (readonly [name: string, oid: string, syntax: SyntaxName])[] = [
  ['objectIdentifierMatch', '2.5.13.0', 'oid'],
  ['distinguishedNameMatch', '2.5.13.1', 'dn'],
  ['caseIgnoreMatch', '2.5.13.2', 'text'],
  ['caseIgnoreOrderingMatch', '2.5.13.3', 'text'],
  ['caseIgnoreSubstringsMatch', '2.5.13.4', 'text'],
  ['booleanMatch', '2.5.13.13', 'boolean'],
  ['integerMatch', '2.5.13.14', 'integer'],
  ['integerOrderingMatch', '2.5.13.15', 'integer'],
  ['telephoneNumberMatch', '2.5.13.20', 'phone'],
  ['telephoneNumberSubstringsMatch', '2.5.13.21', 'phone'],
  ['generalizedTimeMatch', '2.5.13.27', 'time'],
  ['generalizedTimeOrderingMatch', '2.5.13.28', 'time'],
  ['caseExactIA5Match', '1.3.6.1.4.1.1466.109.114.1', 'exact'],
  ['caseIgnoreIA5Match', '1.3.6.1.4.1.1466.109.114.2', 'mail'],
  ['caseIgnoreIA5SubstringsMatch', '1.3.6.1.4.1.1466.109.114.3', 'mail'],
  ['UUIDMatch', '1.3.6.1.1.16.2', 'uuid'],
  ['UUIDOrderingMatch', '1.3.6.1.1.16.3', 'uuid'],
];

/** The subschema (RFC 4512 section 4.2), which says what entries can hold. */
export function subschema(): Record<string, readonly string[]> {
  const spoken = new Map(Object.values(syntaxes).map(({ oid, says }) => [oid, says]));
  return {
    objectClass: ['top', 'subentry', 'subschema'],
    cn: ['Subschema'],
    attributeTypes: attributes.map(definitionOf),
    objectClasses: classes.map(([definition]) => `( ${definition} )`),
    ldapSyntaxes: [...spoken].map(([oid, says]) => `( ${oid} DESC '${says}' )`),
    matchingRules: rules.map(
      ([name, oid, syntax]) => `( ${oid} NAME '${name}' SYNTAX ${syntaxes[syntax].oid} )`,
    ),
  };
}

function definitionOf([name, oid, of, ...flags]: Attribute): string {
  const { oid: syntax, equality, ordering, substrings }: Syntax = syntaxes[of];
  const parts = [
    `${oid} NAME '${name}'`,
    `EQUALITY ${equality}`,
    ordering && `ORDERING ${ordering}`,
    substrings && `SUBSTR ${substrings}`,
    `SYNTAX ${syntax}`,
    flags.includes('single') && 'SINGLE-VALUE',
    flags.includes('operational') && 'NO-USER-MODIFICATION USAGE directoryOperation',
  ];
  return `( ${parts.filter(Boolean).join(' ')} )`;
}

/** Whether a matching rule that an extensible filter names is one of ours, by name or number. */
export const isRule = (rule: string): boolean =>
  rules.some(([name, oid]) => oid === rule || name.toLowerCase() === rule.toLowerCase());
