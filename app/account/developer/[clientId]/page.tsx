import { decoded } from '#lib/http/decoded.ts';
import { listTraces } from '#lib/management/attempt/traces.ts';
import { spokenBy } from '#lib/management/client/client-kinds.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { requireContact } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { TraceTable } from '../../../ui/attempts/trace-table.tsx';
import { Button } from '../../../ui/button.tsx';
import { AddressesCard } from '../../../ui/connect/addresses-card.tsx';
import { CredentialsCard } from '../../../ui/connect/credentials-card.tsx';
import { GuideSection } from '../../../ui/connect/guide-section.tsx';
import { LdapCard } from '../../../ui/connect/ldap-card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { DeveloperFrame, developerPage } from '../frame.tsx';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** What developers may see of their app: how to connect it, and its attempts. */
export default async function DeveloperAppPage({ params, searchParams }: Props) {
  const text = await pageText();
  const clientId = decoded((await params).clientId);
  const { user } = await requireContact(clientId);
  const client = await orNotFound(showClient(clientId));
  const getsTokens = spokenBy(client) === 'oauth';
  const query = await readParams(searchParams);
  const page = developerPage(client.id);
  const requestId = query.request?.trim() || undefined;
  return (
    <DeveloperFrame
      title={text('developer.app', { name: stripBidi(client.shownName) })}
      heading={<UserText className="wrap-anywhere" text={client.shownName} />}
      lead={text('developer.appText')}
      role={user.role}
      up={{ href: '/account/developer', label: text('developer.back') }}
    >
      <Attempts clientId={client.id} page={page} requestId={requestId} />
      {getsTokens && <CredentialsCard client={client} />}
      {client.ldap && <LdapCard client={client} />}
      {getsTokens && <AddressesCard />}
      {getsTokens && <GuideSection client={client} query={query} page={page} />}
    </DeveloperFrame>
  );
}

type AttemptsProps = { clientId: string; page: string; requestId: string | undefined };

async function Attempts({ clientId, page, requestId }: AttemptsProps) {
  const text = await pageText();
  const { rows } = await listTraces({ clientId, requestId, limit: 50 });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 className="text-lg font-semibold tracking-tight">{text('attempts.ofApp')}</h2>
      <form action={page} className="flex flex-wrap items-end gap-3">
        <Field name="request" label={text('developer.find')}>
          {(control) => (
            <Input
              {...control}
              defaultValue={requestId}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={100}
            />
          )}
        </Field>
        <Button kind="secondary">{text('developer.findButton')}</Button>
      </form>
      {rows.length > 0 && (
        <TraceTable traces={rows} at={page} person={() => text('attempts.somebody')} />
      )}
      {rows.length === 0 && (
        <EmptyState
          icon="clock"
          title={requestId ? text('developer.notFound') : text('attempts.none')}
          text={requestId ? undefined : text('attempts.noneText')}
        />
      )}
    </div>
  );
}
