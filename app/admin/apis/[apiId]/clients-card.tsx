import type { ApiClientKind } from '#lib/management/api/api-clients.ts';
import { namesOfClients } from '#lib/management/api/api-clients.ts';
import type { ApiRecord } from '#lib/management/api/apis.ts';
import { type Candidate, matchClient } from '#lib/management/candidates.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { clientPage } from '../../addresses.ts';
import { Candidates, candidatesIn } from '../../ui/candidates.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { Listed } from '../../ui/listed.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { addApiClient, removeApiClient } from '../actions.ts';

type Props = { api: ApiRecord; kind: ApiClientKind; find: string | undefined };

/** The apps that an API lists: those that may ask for its tokens, or those that are the API. */
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
          <Listed
            key={app.id}
            action={removeApiClient}
            fields={{ api: api.id, kind, client: app.id }}
            button={text('apis.removeApp')}
            label={text('apis.removeAppLabel', { name: stripBidi(app.label) })}
          >
            <AppLink {...app} />
          </Listed>
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
          asTyped
          maxLength={200}
          required
        />
        <Submit kind="secondary">{text('apis.addApp')}</Submit>
      </ActionForm>
      {find && <Meant apiId={api.id} kind={kind} text={find.slice(0, 200)} />}
    </Card>
  );
}

type MeantProps = { apiId: string; kind: ApiClientKind; text: string };

/** The apps that the typed text could mean. */
async function Meant({ apiId, kind, text }: MeantProps) {
  const words = await pageText();
  const apps = candidatesIn(await matchClient(text));
  const shown = stripBidi(text);
  return (
    <Candidates
      label={words('apis.candidates')}
      question={words(apps.length > 0 ? 'apis.whichApp' : 'apis.noApp', { text: shown })}
      className="mt-4"
    >
      {apps.map((app) => (
        <Listed
          key={app.id}
          action={addApiClient}
          fields={{ api: apiId, kind, client: app.id }}
          button={words('apis.addApp')}
          label={words('apis.addAppLabel', { name: stripBidi(app.label) })}
        >
          <AppLink {...app} />
        </Listed>
      ))}
    </Candidates>
  );
}

function AppLink({ id, label }: Candidate) {
  return (
    <QuickLink className="gh-link min-w-0 wrap-anywhere" href={clientPage(id)}>
      <UserText text={label} />
    </QuickLink>
  );
}
