import { config } from '#lib/config.ts';
import { appDn, groupsDn, peopleDn } from '#lib/ldap/names.ts';
import type { Text } from '#lib/messages/text.ts';
import type { FilledBlock } from '#lib/recipes/recipe.ts';

/** What to type into a program's form about the LDAP server; the password stands elsewhere. */
export function ldapForm(text: Text, clientId: string): FilledBlock {
  const { baseDn } = config().ldap;
  const app = appDn(clientId, baseDn);
  const fields: FilledBlock['fields'] = [
    ...serverFields(text),
    [text('ldap.baseDn'), app],
    [text('ldap.bindDn'), app],
    [text('ldap.people'), peopleDn(clientId, baseDn)],
    [text('ldap.peopleFilter'), '(objectClass=inetOrgPerson)'],
    [text('ldap.login'), 'uid'],
    [text('ldap.groups'), groupsDn(clientId, baseDn)],
    [text('ldap.groupFilter'), '(objectClass=groupOfNames)'],
    [text('ldap.members'), 'member'],
    [text('ldap.memberOf'), 'memberOf'],
  ];
  return { title: text('ldap.form'), language: 'form', text: '', fields };
}

/** Whether the LDAP server listens nowhere. */
export function isLdapOff(): boolean {
  const { port, tlsPort } = config().ldap;
  return port === null && tlsPort === null;
}

/** Where the server is reached; nothing if it listens nowhere. */
function serverFields(text: Text): [string, string][] {
  const { issuer, ldap } = config();
  const { hostname } = new URL(issuer);
  const { port, tlsPort, certificate } = ldap;
  if (tlsPort !== null)
    return [
      [text('ldap.server'), `ldaps://${hostname}:${tlsPort}`],
      [text('ldap.encryption'), 'LDAPS (SSL/TLS)'],
    ];
  if (port === null) return [];
  return [
    [text('ldap.server'), `ldap://${hostname}:${port}`],
    [text('ldap.encryption'), certificate === null ? text('ldap.plain') : 'StartTLS'],
  ];
}
