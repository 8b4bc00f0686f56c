import { type ApiCount, type ApiRecord, countOf, showApi } from '#lib/management/api/apis.ts';
import { isKept } from '#lib/management/kept.ts';
import { apiWords as words } from '#lib/messages/admin/apis.ts';
import { accessTokenLifeOf, usesJwts } from '#lib/oauth/api.ts';
import { sayDuration } from '#lib/settings/duration.ts';
import { requirePermission } from '../../../guards.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { decoded, readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Seen } from '../../ui/forms/seen.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { Kept } from '../../ui/kept.tsx';
import { removeApi, saveApi } from '../actions.ts';
import { ApiFields } from '../api-fields.tsx';
import { languageFields, valuesOf } from '../api-values.ts';
import { ClientsCard } from './clients-card.tsx';
import { DeveloperCard } from './developer-card.tsx';

type Props = { params: Promise<{ apiId: string }>; searchParams: SearchParams };

/** An API: what people read of it, who may ask for it, and what its developer needs. */
export default async function ApiPage({ params, searchParams }: Props) {
  await requirePermission('see-everything');
  const api = await orNotFound(showApi(decoded((await params).apiId)));
  const query = await readParams(searchParams);
  const count = await countOf(api, null, new Date());
  const kept = await isKept('api', api.id);
  return (
    <AdminPage
      title={api.name}
      heading={<UserText className="wrap-anywhere" text={api.name} />}
      text={<Identifier api={api} count={count} />}
      up={{ href: '/admin/apis', label: words.title }}
      kept={kept && 'api'}
    >
      {usesJwts(api) && (
        <AdminNotice kind="info" title={words.withdrawal}>
          {words.withdrawalText(lifeOf(api))}
        </AdminNotice>
      )}
      {api.tokenFormat === 'plain-jwt' && (
        <AdminNotice kind="warning" title={words.plain}>
          {words.plainText}
        </AdminNotice>
      )}
      <Kept kept={kept}>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-2">
          <Details api={api} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            <ClientsCard api={api} kind="asks" find={query.asks} />
            <ClientsCard api={api} kind="serves" find={query.serves} />
          </div>
        </div>
      </Kept>
      <DeveloperCard api={api} />
      {!kept && <Removal api={api} count={count} />}
    </AdminPage>
  );
}

/** What a JWT may outlive, in words. */
const lifeOf = (api: ApiRecord) => sayDuration(accessTokenLifeOf(api, 0));

function Identifier({ api, count }: { api: ApiRecord; count: ApiCount }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="min-w-0 text-sm break-all select-all">{api.identifier}</code>
        <CopyButton text={api.identifier} />
      </span>
      <span className="mt-1 block">{words.facts(count.people, count.signIns)}</span>
    </>
  );
}

function Details({ api }: { api: ApiRecord }) {
  return (
    <Card id="details" title={words.details}>
      <ActionForm action={saveApi} className="grid gap-5">
        <Hidden fields={{ api: api.id }} />
        <Seen value={String(api.updatedAt.getTime())} />
        <ApiFields api={valuesOf(api)} languages={languageFields} isOld />
        <div>
          <Submit>{words.save}</Submit>
        </div>
      </ActionForm>
    </Card>
  );
}

function Removal({ api, count: { people, signIns } }: { api: ApiRecord; count: ApiCount }) {
  const what = words.removeWhat(stripBidi(api.name), people, signIns);
  return (
    <Card id="remove" title={words.remove} text={words.removeText}>
      <ActionForm action={removeApi} className="grid gap-3">
        <Hidden fields={{ api: api.id }} />
        <Confirm
          label={words.removeButton}
          text={usesJwts(api) ? `${what} ${words.removeJwt(lifeOf(api))}` : what}
        >
          <Submit kind="danger" size="small">
            {words.removeConfirm}
          </Submit>
        </Confirm>
      </ActionForm>
    </Card>
  );
}
