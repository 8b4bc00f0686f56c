import type { WaitingRequest } from '#lib/management/approval/new-apps.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { approveNewApp, refuseNewApp } from './new-app-actions.ts';

/** The apps waiting for an admin, each with the person who asked; nothing if there are none. */
export async function WaitingCard({ waiting }: { waiting: readonly WaitingRequest[] }) {
  const text = await pageText();
  if (waiting.length === 0) return null;
  return (
    <Card id="waiting" title={text('newApps.waiting')} text={text('newApps.waitingText')}>
      <Table
        caption={text('newApps.waitingList')}
        columns={[
          { key: 'app', label: text('newApps.columnApp') },
          { key: 'by', label: text('newApps.columnBy') },
          { key: 'since', label: text('newApps.columnSince') },
          { key: 'act', label: text('newApps.columnAct') },
        ]}
        rows={waiting.map((app) => ({ key: app.clientId, cells: cellsOf(text, app) }))}
      />
    </Card>
  );
}

function cellsOf(text: Text, request: WaitingRequest) {
  const { clientId, host, name, origin, userId, username, askedAt, decision } = request;
  const client = <Hidden fields={{ client: clientId }} />;
  return {
    app: (
      <div className="grid justify-items-start gap-1">
        <span className="font-semibold wrap-anywhere">
          <UserText text={host} />
        </span>
        {origin !== 'admin' && <Badge>{text(`newApps.origins.${origin}`)}</Badge>}
        <span className="text-ink-soft wrap-anywhere">
          <UserText text={text('newApps.saysItIs', { name })} />
        </span>
        <span className="font-mono text-xs break-all text-ink-soft">{shortened(clientId)}</span>
      </div>
    ),
    by: (
      <QuickLink className="gh-link" href={`/admin/people/${userId}`}>
        <UserText text={username} />
      </QuickLink>
    ),
    since: <When locale={text.locale} at={askedAt} never="" />,
    act: (
      <div className="flex flex-wrap gap-2 has-[form>*>div]:grid">
        <ActionForm
          action={approveNewApp}
          label={text('newApps.approveLabel', { host })}
          className="grid gap-3"
        >
          {client}
          <Submit size="small" aria-label={text('newApps.approveLabel', { host })}>
            {text('newApps.approve')}
          </Submit>
        </ActionForm>
        {decision === null && (
          <ActionForm
            action={refuseNewApp}
            label={text('newApps.refuseLabel', { host })}
            className="grid gap-3"
          >
            {client}
            <Submit
              size="small"
              kind="secondary"
              aria-label={text('newApps.refuseLabel', { host })}
            >
              {text('newApps.refuse')}
            </Submit>
          </ActionForm>
        )}
      </div>
    ),
  };
}

/** The refused apps, folded. Each can still be approved. */
export async function RefusedOnes({ refused }: { refused: readonly WaitingRequest[] }) {
  const text = await pageText();
  if (refused.length === 0) return null;
  return (
    <details className="rounded-2xl border border-line bg-surface px-5 py-4">
      <summary className="w-fit cursor-pointer font-semibold">
        {text('newApps.refusedOnes', { count: refused.length })}
      </summary>
      <div className="mt-4">
        <Table
          caption={text('newApps.refusedList')}
          columns={[
            { key: 'app', label: text('newApps.columnApp') },
            { key: 'by', label: text('newApps.columnBy') },
            { key: 'act', label: text('newApps.columnAct') },
          ]}
          rows={refused.map((app) => ({ key: app.clientId, cells: cellsOf(text, app) }))}
        />
      </div>
    </details>
  );
}

/** Shortens IDs, because one that contains the whole registration of its app is very long. */
const shortened = (id: string) => (id.length > 120 ? `${id.slice(0, 60)}…` : id);
