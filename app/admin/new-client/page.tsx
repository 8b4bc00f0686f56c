import { type ClientKind, clientKinds } from '#lib/management/client-kinds.ts';
import { listScopes } from '#lib/management/scopes.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { requireFreshAdmin } from '../../guards.ts';
import { Card } from '../../ui/card.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { addClient } from '../clients/actions.ts';
import { SecretForm } from '../clients/secret-form.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { TextField } from '../ui/forms/fields.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { oneOf, readParams, type SearchParams } from '../ui/params.ts';
import { KindChoice } from './kind-choice.tsx';
import { KindFields } from './kind-fields.tsx';

export default async function NewClientPage({ searchParams }: { searchParams: SearchParams }) {
  await requireFreshAdmin();
  const kind: ClientKind = oneOf(clientKinds, (await readParams(searchParams)).kind) ?? 'web';
  const ownScopes = (await listScopes()).filter((scope) => !scope.builtIn);
  return (
    <AdminPage
      title={words.newTitle}
      text={words.newLead}
      up={{ href: '/admin/clients', label: words.title }}
      width="narrow"
    >
      <Card>
        <SecretForm
          key={kind}
          action={addClient}
          className="grid gap-5"
          title={words.madeTitle}
          href="/admin/clients/CLIENT_ID"
        >
          {/* Made here, so that a form that is sent twice makes one client. */}
          <Hidden fields={{ kind, id: newId(new Date()) }} />
          <KindChoice chosen={kind} />
          <TextField
            name="name"
            label={words.name}
            hint={words.nameHint}
            required
            maxLength={100}
          />
          <KindFields
            kind={kind}
            ownScopes={ownScopes.map(({ name, description }) => ({ name, description }))}
          />
          <div>
            <Submit>{words.create}</Submit>
          </div>
        </SecretForm>
      </Card>
    </AdminPage>
  );
}
