import type { ClientRecord } from '#lib/management/client/clients.ts';
import { pageText } from '../../../../locale.ts';
import { Hidden } from '../../../../ui/hidden.tsx';
import { TickField } from '../../../ui/forms/fields.tsx';

/** How programs that cannot open a browser sign people in. */
export async function ProgramFields({ client }: { client: ClientRecord }) {
  const text = await pageText();
  return (
    <>
      <TickField
        name="appPasswords"
        label={text('clients.appPasswords')}
        hint={text('clients.appPasswordsHint')}
        initial={client.appPasswords}
      />
      {client.guardedSites.length > 0 ? (
        // It has no secret to bind with.
        <Hidden
          fields={{
            ldap: client.ldap ? 'on' : undefined,
            ldapPasswords: client.ldapPasswords ? 'on' : undefined,
          }}
        />
      ) : (
        <LdapFields client={client} />
      )}
    </>
  );
}

async function LdapFields({ client }: { client: ClientRecord }) {
  const text = await pageText();
  return (
    <>
      <TickField
        name="ldap"
        label={text('clients.ldap')}
        hint={text('clients.ldapHint')}
        initial={client.ldap}
      />
      <TickField
        name="ldapPasswords"
        label={text('clients.ldapPasswords')}
        hint={text('clients.ldapPasswordsHint')}
        initial={client.ldapPasswords}
      />
    </>
  );
}
