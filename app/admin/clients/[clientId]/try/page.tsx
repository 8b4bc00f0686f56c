import { config } from '#lib/config.ts';
import { decoded } from '#lib/http/decoded.ts';
import { pageRequest } from '#lib/http/next.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { authorizationParams, openTrialAnswer, readTrial } from '#lib/interaction/trial.ts';
import { listApis } from '#lib/management/api/apis.ts';
import { type ClientRecord, showClient } from '#lib/management/client/clients.ts';
import { listScopes } from '#lib/management/scope/scopes.ts';
import type { Text } from '#lib/messages/text.ts';
import { mayAskFor } from '#lib/oauth/api.ts';
import { mayAsk } from '#lib/oauth/scope.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../../params.ts';
import { Card } from '../../../../ui/card.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { AppPage } from '../app-page.tsx';
import { claimMeanings, paramMeanings } from './meanings.ts';
import { Explained, Raw } from './raw.tsx';
import { StartForm } from './start-form.tsx';
import { TrialForm } from './trial-form.tsx';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** A real sign-in to an app as the admin, request by request. */
export default async function TryPage({ params, searchParams }: Props) {
  const session = await guardPage('/admin/clients/[clientId]/try');
  const text = await pageText();
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const { answer: sent } = await readParams(searchParams);
  const request = await pageRequest();
  const now = new Date();
  const trial = sent ? await readTrial(request, session, now) : null;
  const isIts = trial?.clientId === client.id;
  const answer = trial && isIts ? await openTrialAnswer(sent, trial, now) : null;
  return (
    <AppPage client={client} tab="connect">
      <div>
        <h2 className="text-xl font-semibold tracking-tight">{text('trial.title')}</h2>
        <p className="mt-1 text-ink-soft">{text('trial.lead')}</p>
      </div>
      {sent && !answer && <AdminNotice kind="warning">{text('trial.over')}</AdminNotice>}
      {trial && answer ? (
        <>
          <Asked asked={authorizationParams(trial)} />
          <Answered answer={answer} />
          {answer.code ? (
            <TrialForm clientId={client.id} answer={sent ?? ''} meanings={claimMeanings(text)} />
          ) : (
            <AdminNotice kind="info">{text('trial.refused')}</AdminNotice>
          )}
        </>
      ) : null}
      <Start client={client} again={answer !== null} csrf={csrfOfRequest(request)} />
    </AppPage>
  );
}

async function Asked({ asked }: { asked: [name: string, value: string][] }) {
  const text = await pageText();
  const url = `${config().issuer}/oauth/authorize?${new URLSearchParams(asked)}`;
  return (
    <Card id="asked" title={text('trial.asked')} text={text('trial.askedText')}>
      <div className="grid gap-4">
        <Raw text={`GET ${url}`} label={text('trial.request')} />
        <Explained
          caption={text('trial.paramsAsked')}
          rows={asked.map(([name, value]) => ({ name, value }))}
          meanings={paramMeanings(text)}
        />
      </div>
    </Card>
  );
}

async function Answered({ answer }: { answer: Record<string, string> }) {
  const text = await pageText();
  return (
    <Card id="answered" title={text('trial.answered')} text={text('trial.answeredText')}>
      <Explained
        caption={text('trial.paramsAnswered')}
        rows={Object.entries(answer).map(([name, value]) => ({ name, value }))}
        meanings={paramMeanings(text)}
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
  const text = await pageText();
  const missing = whyNot(text, client);
  if (missing) return <AdminNotice kind="info">{missing}</AdminNotice>;
  const scopes = (await listScopes()).filter((scope) => mayAsk(client, scope));
  const apis = (await listApis()).filter((api) => mayAskFor(api, client));
  return <StartForm client={client} scopes={scopes} apis={apis} again={again} csrf={csrf} />;
}

/** Why an app can't be tried; null if it can. */
function whyNot(text: Text, { grants, redirectUris, disabledAt }: ClientRecord): string | null {
  if (!grants.includes('authorization_code')) return text('trial.cannot');
  if (redirectUris.length === 0) return text('trial.noRedirect');
  return disabledAt ? text('trial.disabled') : null;
}
