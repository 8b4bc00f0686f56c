import { decoded } from '#lib/http/decoded.ts';
import { kinds } from '#lib/identity/upstream/provider-kinds.ts';
import { trialPage } from '#lib/interaction/provider-trial.ts';
import { isKept } from '#lib/management/kept.ts';
import { providerWithId } from '#lib/management/provider/providers.ts';
import { productName } from '#lib/messages/text.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { Card } from '../../../ui/card.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { OnlyFor } from '../../ui/allowed.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { Kept } from '../../ui/kept.tsx';
import { QuickButton } from '../../ui/quick-link.tsx';
import { Removal } from '../../ui/removal.tsx';
import { removeProvider, saveProvider } from '../actions.ts';
import { How } from '../how.tsx';
import { ProviderFields } from '../provider-fields.tsx';

type Props = { params: Promise<{ providerId: string }> };

/** One provider: what to enter in its console, and its settings here. */
export default async function ProviderPage({ params }: Props) {
  await guardPage('/admin/providers/[providerId]');
  const text = await pageText();
  const id = decoded((await params).providerId);
  const provider = await orNotFound(providerWithId(id, new Date()));
  const { name, kind, slug, use } = provider;
  const kept = await isKept('provider', provider.id);
  return (
    <AdminPage
      title={name}
      heading={<UserText className="wrap-anywhere" text={name} />}
      text={text('providers.used', {
        kind: kinds[kind].name,
        people: use.people,
        recent: use.recent,
      })}
      up="/admin/providers"
      width="narrow"
      kept={kept && 'provider'}
    >
      {provider.secret === 'lost' && (
        <AdminNotice kind="warning" title={text('providers.lost')}>
          {text('providers.lostText')}
        </AdminNotice>
      )}
      <How kind={kind} slug={slug} />
      <TryCard id={provider.id} />
      <Kept kept={kept}>
        <Card title={text('providers.here', { product: productName() })}>
          <SaveForm
            action={saveProvider}
            className="grid gap-5"
            fields={{ provider: provider.id }}
            seen={String(provider.updatedAt.getTime())}
            save={text('providers.save')}
          >
            <ProviderFields kind={kind} provider={provider} />
          </SaveForm>
        </Card>
      </Kept>
      {!kept && (
        <Removal
          room="providers"
          action={removeProvider}
          fields={{ provider: provider.id }}
          text={text('providers.removeWhat', {
            name: stripBidi(name),
            people: use.people,
            only: use.only,
          })}
        />
      )}
    </AdminPage>
  );
}

/** Links to a trial sign-in there, which signs no one in. */
async function TryCard({ id }: { id: string }) {
  const text = await pageText();
  return (
    <OnlyFor need="admin">
      <Card id="try" title={text('trial.open')} text={text('providers.try.lead')}>
        <QuickButton kind="secondary" href={trialPage(id)}>
          {text('trial.title')}
        </QuickButton>
      </Card>
    </OnlyFor>
  );
}
