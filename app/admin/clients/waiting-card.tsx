import type { WaitingRequest } from '#lib/management/approval/new-apps.ts';
import { newAppWords as words } from '#lib/messages/admin/new-apps.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { Since } from '../ui/since.tsx';
import { approveNewApp, refuseNewApp } from './new-app-actions.ts';

/** The apps that wait for an admin, each with who asked; nothing while none does. */
export function WaitingCard({ waiting }: { waiting: readonly WaitingRequest[] }) {
  if (waiting.length === 0) return null;
  return (
    <Card id="waiting" title={words.waiting} text={words.waitingText}>
      <Table
        caption={words.waitingList}
        columns={[
          { key: 'app', label: words.columnApp },
          { key: 'by', label: words.columnBy },
          { key: 'since', label: words.columnSince },
          { key: 'act', label: words.columnAct },
        ]}
        rows={waiting.map((app) => ({ key: app.clientId, cells: cellsOf(app) }))}
      />
    </Card>
  );
}

function cellsOf(request: WaitingRequest) {
  const { clientId, host, name, origin, userId, username, askedAt, decision } = request;
  const client = <Hidden fields={{ client: clientId }} />;
  return {
    app: (
      <div className="grid justify-items-start gap-1">
        <span className="font-semibold wrap-anywhere">
          <UserText text={host} />
        </span>
        {origin !== 'admin' && <Badge>{words.origins[origin]}</Badge>}
        <span className="text-ink-soft wrap-anywhere">
          <UserText text={words.saysItIs(name)} />
        </span>
        <span className="font-mono text-xs break-all text-ink-soft">{shortened(clientId)}</span>
      </div>
    ),
    by: (
      <QuickLink className="gh-link" href={`/admin/people/${userId}`}>
        <UserText text={username} />
      </QuickLink>
    ),
    since: <Since at={askedAt} never="" />,
    act: (
      <div className="flex flex-wrap gap-2 has-[form>*>div]:grid">
        <ActionForm action={approveNewApp} label={words.approveLabel(host)} className="grid gap-3">
          {client}
          <Submit size="small" aria-label={words.approveLabel(host)}>
            {words.approve}
          </Submit>
        </ActionForm>
        {decision === null && (
          <ActionForm action={refuseNewApp} label={words.refuseLabel(host)} className="grid gap-3">
            {client}
            <Submit size="small" kind="secondary" aria-label={words.refuseLabel(host)}>
              {words.refuse}
            </Submit>
          </ActionForm>
        )}
      </div>
    ),
  };
}

/** The apps that were refused, folded: each can be approved after all. */
export function RefusedOnes({ refused }: { refused: readonly WaitingRequest[] }) {
  if (refused.length === 0) return null;
  return (
    <details className="rounded-2xl border border-line bg-surface px-5 py-4">
      <summary className="w-fit cursor-pointer font-semibold">
        {words.refusedOnes(refused.length)}
      </summary>
      <div className="mt-4">
        <Table
          caption={words.refusedList}
          columns={[
            { key: 'app', label: words.columnApp },
            { key: 'by', label: words.columnBy },
            { key: 'act', label: words.columnAct },
          ]}
          rows={refused.map((app) => ({ key: app.clientId, cells: cellsOf(app) }))}
        />
      </div>
    </details>
  );
}

/** An id that holds what an app registered is very long. */
const shortened = (id: string) => (id.length > 120 ? `${id.slice(0, 60)}…` : id);
