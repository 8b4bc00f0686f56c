import { config } from '#lib/config.ts';
import { decoded } from '#lib/http/decoded.ts';
import { faultsOfAll, importsNothing, type JudgedArrivals } from '#lib/import/judge-arrivals.ts';
import { judgeFile } from '#lib/import/kept-files.ts';
import { formatNames } from '#lib/import/names.ts';
import { actingFreely } from '#lib/management/act.ts';
import { sentenceIn } from '#lib/messages/text.ts';
import { oldIssuerFault } from '#lib/oauth/old-issuer.ts';
import { guardPage } from '../../../../../guards.ts';
import { pageText } from '../../../../../locale.ts';
import { orNotFound } from '../../../../../or-not-found.ts';
import { Card } from '../../../../../ui/card.tsx';
import { Table } from '../../../../../ui/table.tsx';
import { UserText } from '../../../../../ui/user-text.tsx';
import { AdminNotice } from '../../../../ui/admin-notice.tsx';
import { AdminPage } from '../../../../ui/admin-page.tsx';
import { TickField } from '../../../../ui/forms/fields.tsx';
import { SaveForm } from '../../../../ui/forms/save-form.tsx';
import { bringPeople } from '../../actions.ts';

type Props = { params: Promise<{ fileId: string }> };

/**
 * What would happen to every person and app in another program's file; and the form that imports
 * them.
 */
export default async function FilePage({ params }: Props) {
  const { user } = await guardPage('/admin/people/import/program/[fileId]');
  const text = await pageText();
  const id = decoded((await params).fileId);
  const by = actingFreely(user.role, { id: user.id }, new Date());
  const { from, judged, oldIssuer } = await orNotFound(judgeFile(id, by));
  return (
    <AdminPage
      title={formatNames[from]}
      text={text('move.checkText')}
      up="/admin/people/import/program"
    >
      <Card id="plan" title={text('import.plan')}>
        <Facts judged={judged} />
      </Card>
      <Listed judged={judged} />
      <Bring id={id} judged={judged} oldIssuer={oldIssuer} />
    </AdminPage>
  );
}

async function Facts({ judged }: { judged: JudgedArrivals }) {
  const text = await pageText();
  const { coming, here, newGroups, ignored, clients, cost } = judged;
  const seconds = { seconds: cost.after, now: cost.now };
  const { collisions, wrong } = faultsOfAll(judged);
  const known = coming.filter(({ passwordHash }) => passwordHash !== null).length;
  const counted = [
    ['come', coming.length],
    ['password', known],
    ['id', coming.filter(({ id }) => id !== undefined).length],
    ['disabled', coming.filter(({ disabled }) => disabled).length],
    ['here', here.length],
    ['apps', clients.coming.length],
    ['appsHere', clients.here.length],
    ['collide', collisions.length],
    ['wrong', wrong.length],
  ] as const;
  const facts = counted.filter(([fact, count]) => fact === 'come' || count > 0);
  return (
    <div className="grid gap-4">
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {facts.map(([fact, count]) => (
          <div key={fact}>
            <dt className="text-sm text-ink-soft">{text(`move.facts.${fact}`)}</dt>
            <dd className="text-xl font-semibold tabular-nums">
              {text('batches.count', { count })}
            </dd>
          </div>
        ))}
      </dl>
      {newGroups.length > 0 && (
        <p className="wrap-anywhere">
          {text('move.newGroups', { names: newGroups.slice(0, mostShown).join(', ') })}
        </p>
      )}
      {ignored.length > 0 && (
        <p className="wrap-anywhere">
          {text('move.ignored', { names: ignored.slice(0, mostShown).join(', ') })}
        </p>
      )}
      {cost.after > cost.now && <p>{text(cost.isLong ? 'move.slow' : 'move.slower', seconds)}</p>}
      {cost.tooMany && (
        <AdminNotice kind="warning">{sentenceIn(text.locale, cost.tooMany)}</AdminNotice>
      )}
      {known < coming.length && <p>{text('move.without', { count: coming.length - known })}</p>}
    </div>
  );
}

/** The maximum number of entries shown of each kind. */
const mostShown = 200;

async function Listed({ judged }: { judged: JudgedArrivals }) {
  const text = await pageText();
  const { renamed, leftBehind, clients } = judged;
  const { collisions, wrong } = faultsOfAll(judged);
  const saying = ({ who, why }: JudgedArrivals['wrong'][number]) => [
    who,
    sentenceIn(text.locale, why),
  ];
  const who = text('move.who');
  return (
    <>
      <Entries
        title={text('move.facts.collide')}
        head={[who, text('move.whyCollide')]}
        rows={collisions.map(saying)}
      />
      <Entries
        title={text('move.facts.wrong')}
        head={[who, text('move.why')]}
        rows={wrong.map(saying)}
      />
      <Entries
        title={text('move.renamed')}
        head={[text('move.had'), text('move.gets')]}
        rows={renamed.map(({ from, to }) => [from, to])}
      />
      <Entries
        title={text('move.leftBehind')}
        head={[who, text('move.why')]}
        rows={leftBehind.map(saying)}
      />
      <Entries
        title={text('move.apps')}
        head={[text('move.app'), text('move.changes')]}
        rows={clients.coming.map(({ id, notes }) => [
          id,
          notes.map((note) => sentenceIn(text.locale, note)).join(' ') || text('move.asBefore'),
        ])}
      />
      <Entries
        title={text('move.behind')}
        head={[text('move.app'), text('move.why')]}
        rows={clients.behind.map(saying)}
      />
    </>
  );
}

type EntriesProps = { title: string; head: [string, string]; rows: string[][] };

async function Entries({ title, head: [one, other], rows }: EntriesProps) {
  const text = await pageText();
  if (rows.length === 0) return null;
  return (
    <Card title={title}>
      <Table
        caption={title}
        columns={[
          { key: 'one', label: one },
          { key: 'other', label: other },
        ]}
        rows={rows.slice(0, mostShown).map(([said = '', then = ''], at) => ({
          key: String(at),
          cells: { one: <UserText text={said} />, other: <UserText text={then} /> },
        }))}
      />
      {rows.length > mostShown && (
        <p className="text-sm text-ink-soft">
          {text('batches.more', { count: rows.length - mostShown })}
        </p>
      )}
    </Card>
  );
}

type BringProps = { id: string; judged: JudgedArrivals; oldIssuer: string | undefined };

async function Bring({ id, judged, oldIssuer }: BringProps) {
  const text = await pageText();
  const { collisions, wrong } = faultsOfAll(judged);
  const said = { count: judged.coming.length, apps: judged.clients.coming.length };
  const left = collisions.length + wrong.length;
  if (importsNothing(judged))
    return <AdminNotice kind="warning">{text('move.nobody')}</AdminNotice>;
  return (
    <Card id="bring" title={text('move.bring', said)} text={text('move.bringText')}>
      <SaveForm need="admin" action={bringPeople} save={text('move.bring', said)}>
        <input type="hidden" name="id" value={id} />
        {left > 0 && <TickField name="leave_out" label={text('move.leaveOut', { count: left })} />}
        {judged.cost.isLong && (
          <TickField
            name="slow_sign_ins"
            label={text('move.acceptSlow', { seconds: judged.cost.after })}
          />
        )}
        {oldIssuer !== undefined && said.apps > 0 && oldIssuerFault(oldIssuer) === null && (
          <>
            <input type="hidden" name="old_issuer_path" value={oldIssuer} />
            <TickField
              name="old_issuer"
              label={text('move.oldIssuer')}
              hint={text('move.oldIssuerHint', { issuer: config().issuer + oldIssuer })}
            />
          </>
        )}
      </SaveForm>
    </Card>
  );
}
