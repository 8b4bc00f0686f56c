import type { ApiClientKind } from '#lib/management/api/api-clients.ts';
import { namesOfClients } from '#lib/management/api/api-clients.ts';
import type { ApiRecord } from '#lib/management/api/apis.ts';
import { type Candidate, matchClient } from '#lib/management/candidates.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { clientPage } from '../../addresses.ts';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { addApiClient, removeApiClient } from '../actions.ts';

type Props = { api: ApiRecord; kind: ApiClientKind; find: string | undefined };

/** The apps that an API lists: those that may ask for it, or those that it is. */
export async function ClientsCard({ api, kind, find }: Props) {
  const text = await pageText();
  const isAsks = kind === 'asks';
  const title = isAsks ? text('apis.askers') : text('apis.servers');
  const listed = await namesOfClients(isAsks ? api.askedBy : api.servedBy);
  return (
    <Card
      id={kind}
      title={title}
      text={isAsks ? text(`apis.askersText.${api.access}`) : text('apis.serversText')}
    >
      {listed.length === 0 && (
        <p className="text-ink-soft">
          {isAsks ? text('apis.askersNone') : text('apis.serversNone')}
        </p>
      )}
      <ul className="divide-y divide-line">
        {listed.map((app) => (
          <Listed key={app.id} apiId={api.id} kind={kind} app={app} />
        ))}
      </ul>
      <ActionForm
        adds
        action={addApiClient}
        label={title}
        className="mt-4 flex flex-wrap items-end gap-3"
      >
        <Hidden fields={{ api: api.id, kind }} />
        <TextField
          name="client"
          id={`client-${kind}`}
          label={text('apis.app')}
          placeholder={text('apis.appHint')}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          required
        />
        <Submit kind="secondary">{text('apis.addApp')}</Submit>
      </ActionForm>
      {find && <Meant apiId={api.id} kind={kind} text={find.slice(0, 200)} />}
    </Card>
  );
}

type AppProps = { apiId: string; kind: ApiClientKind; app: Candidate };

async function Listed({ apiId, kind, app: { id, label } }: AppProps) {
  const text = await pageText();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2 first:pt-0">
      <AppLink id={id} label={label} />
      <ActionForm action={removeApiClient}>
        <Hidden fields={{ api: apiId, kind, client: id }} />
        <Submit
          kind="secondary"
          size="small"
          aria-label={text('apis.removeAppLabel', { name: stripBidi(label) })}
        >
          {text('apis.removeApp')}
        </Submit>
      </ActionForm>
    </li>
  );
}

/** The apps that a text may mean. */
async function Meant({ apiId, kind, text }: Omit<AppProps, 'app'> & { text: string }) {
  const words = await pageText();
  const match = await matchClient(text);
  const apps = 'one' in match ? [match.one] : 'several' in match ? match.several : [];
  const shown = stripBidi(text);
  return (
    <section
      aria-label={words('apis.candidates')}
      className="mt-4 rounded-xl border border-line bg-sunken px-4 py-3"
    >
      <p className="font-semibold wrap-anywhere" role="status">
        {apps.length > 0
          ? words('apis.whichApp', { text: shown })
          : words('apis.noApp', { text: shown })}
      </p>
      <ul className="mt-2 divide-y divide-line">
        {apps.map(({ id, label }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
            <AppLink id={id} label={label} />
            <ActionForm action={addApiClient}>
              <Hidden fields={{ api: apiId, kind, client: id }} />
              <Submit
                kind="secondary"
                size="small"
                aria-label={words('apis.addAppLabel', { name: stripBidi(label) })}
              >
                {words('apis.addApp')}
              </Submit>
            </ActionForm>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AppLink({ id, label }: Candidate) {
  return (
    <QuickLink className="gh-link min-w-0 wrap-anywhere" href={clientPage(id)}>
      <UserText text={label} />
    </QuickLink>
  );
}
