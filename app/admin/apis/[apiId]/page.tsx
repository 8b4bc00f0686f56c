import { decoded } from '#lib/http/decoded.ts';
import { type ApiCount, type ApiRecord, countApiUse, showApi } from '#lib/management/api/apis.ts';
import { isKept } from '#lib/management/kept.ts';
import { periodIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import { accessTokenLifeOf, usesJwts } from '#lib/oauth/api.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { Kept } from '../../ui/kept.tsx';
import { Removal } from '../../ui/removal.tsx';
import { removeApi, saveApi } from '../actions.ts';
import { ApiFields } from '../api-fields.tsx';
import { languageFields, valuesOf } from '../api-values.ts';
import { ClientsCard } from './clients-card.tsx';
import { DeveloperCard } from './developer-card.tsx';

type Props = { params: Promise<{ apiId: string }>; searchParams: SearchParams };

/** An API: what people read about it, who may ask for it, and what its developer needs. */
export default async function ApiPage({ params, searchParams }: Props) {
  await guardPage('/admin/apis/[apiId]');
  const text = await pageText();
  const api = await orNotFound(showApi(decoded((await params).apiId)));
  const query = await readParams(searchParams);
  const count = await countApiUse(api, null, new Date());
  const kept = await isKept('api', api.id);
  return (
    <AdminPage
      title={api.name}
      heading={<UserText className="wrap-anywhere" text={api.name} />}
      text={<Identifier api={api} count={count} />}
      up="/admin/apis"
      kept={kept && 'api'}
    >
      {usesJwts(api) && (
        <AdminNotice kind="info" title={text('apis.withdrawal')}>
          {text('apis.withdrawalText', { life: lifeOf(text, api) })}
        </AdminNotice>
      )}
      {api.tokenFormat === 'plain-jwt' && (
        <AdminNotice kind="warning" title={text('apis.plain')}>
          {text('apis.plainText')}
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
      {!kept && <Remove api={api} count={count} />}
    </AdminPage>
  );
}

/** How long a JWT can outlive its revocation, in words. */
const lifeOf = (text: Text, api: ApiRecord) => periodIn(text.locale, accessTokenLifeOf(api, 0));

async function Identifier({ api, count }: { api: ApiRecord; count: ApiCount }) {
  const text = await pageText();
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="min-w-0 text-sm break-all select-all">{api.identifier}</code>
        <CopyButton text={api.identifier} />
      </span>
      <span className="mt-1 block">
        {text('apis.facts', { people: count.people, signIns: count.signIns })}
      </span>
    </>
  );
}

async function Details({ api }: { api: ApiRecord }) {
  const text = await pageText();
  return (
    <Card id="details" title={text('apis.details')}>
      <SaveForm
        action={saveApi}
        className="grid gap-5"
        fields={{ api: api.id }}
        seen={String(api.updatedAt.getTime())}
        save={text('apis.save')}
      >
        <ApiFields api={valuesOf(api, text.locale)} languages={languageFields} isOld />
      </SaveForm>
    </Card>
  );
}

async function Remove({ api, count: { people, signIns } }: { api: ApiRecord; count: ApiCount }) {
  const text = await pageText();
  const what = text('apis.removeWhat', { name: stripBidi(api.name), people, signIns });
  return (
    <Removal
      room="apis"
      action={removeApi}
      fields={{ api: api.id }}
      text={usesJwts(api) ? `${what} ${text('apis.removeJwt', { life: lifeOf(text, api) })}` : what}
    />
  );
}
