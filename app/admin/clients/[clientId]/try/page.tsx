import { config } from '#lib/config.ts';
import { pageRequest } from '#lib/http/next.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { authorizationParams, openTrialAnswer, readTrial } from '#lib/interaction/trial.ts';
import { listApis } from '#lib/management/api/apis.ts';
import { type ClientRecord, showClient } from '#lib/management/client/clients.ts';
import { listScopes } from '#lib/management/scope/scopes.ts';
import { trialWords as words } from '#lib/messages/admin/trial.ts';
import { mayAskFor } from '#lib/oauth/api.ts';
import { mayAsk } from '#lib/oauth/scope.ts';
import { requireFreshAdmin } from '../../../../guards.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { decoded, readParams, type SearchParams } from '../../../../params.ts';
import { Card } from '../../../../ui/card.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { AppPage } from '../app-page.tsx';
import { Explained, Raw } from './raw.tsx';
import { StartForm } from './start-form.tsx';
import { TrialForm } from './trial-form.tsx';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** A real sign-in to an app as oneself, request by request. */
export default async function TryPage({ params, searchParams }: Props) {
  const session = await requireFreshAdmin();
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const { answer: text } = await readParams(searchParams);
  const request = await pageRequest();
  const now = new Date();
  const trial = text ? await readTrial(request, session, now) : null;
  const isIts = trial?.clientId === client.id;
  const answer = trial && isIts ? await openTrialAnswer(text, trial, now) : null;
  return (
    <AppPage client={client} tab="connect">
      <div>
        <h2 className="text-xl font-semibold tracking-tight">{words.title}</h2>
        <p className="mt-1 text-ink-soft">{words.lead}</p>
      </div>
      {text && !answer && <AdminNotice kind="warning">{words.over}</AdminNotice>}
      {trial && answer ? (
        <>
          <Asked asked={authorizationParams(trial)} />
          <Answered answer={answer} />
          {answer.code ? (
            <TrialForm clientId={client.id} answer={text ?? ''} />
          ) : (
            <AdminNotice kind="info">{words.refused}</AdminNotice>
          )}
        </>
      ) : null}
      <Start client={client} again={answer !== null} csrf={csrfOfRequest(request)} />
    </AppPage>
  );
}

function Asked({ asked }: { asked: [name: string, value: string][] }) {
  const url = `${config().issuer}/oauth/authorize?${new URLSearchParams(asked)}`;
  return (
    <Card id="asked" title={words.asked} text={words.askedText}>
      <div className="grid gap-4">
        <Raw text={`GET ${url}`} label={words.request} />
        <Explained
          caption={words.paramsAsked}
          rows={asked.map(([name, value]) => ({ name, value }))}
          meanings={words.params}
        />
      </div>
    </Card>
  );
}

function Answered({ answer }: { answer: Record<string, string> }) {
  return (
    <Card id="answered" title={words.answered} text={words.answeredText}>
      <Explained
        caption={words.paramsAnswered}
        rows={Object.entries(answer).map(([name, value]) => ({ name, value }))}
        meanings={words.params}
      />
    </Card>
  );
}

async function Start({
  client,
  again,
  csrf,
}: {
  client: ClientRecord;
  again: boolean;
  csrf: string;
}) {
  const missing = whyNot(client);
  if (missing) return <AdminNotice kind="info">{missing}</AdminNotice>;
  const scopes = (await listScopes()).filter((scope) => mayAsk(client, scope));
  const apis = (await listApis()).filter((api) => mayAskFor(api, client));
  return <StartForm client={client} scopes={scopes} apis={apis} again={again} csrf={csrf} />;
}

/** Why an app can't be tried; null if it can. */
function whyNot({ grants, redirectUris, disabledAt }: ClientRecord): string | null {
  if (!grants.includes('authorization_code')) return words.cannot;
  if (redirectUris.length === 0) return words.noRedirect;
  return disabledAt ? words.disabled : null;
}
