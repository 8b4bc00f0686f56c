import { planUnused, type UnusedPlan } from '#lib/management/user/unused.ts';
import { dayIn } from '#lib/messages/format.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Day } from '../../../ui/day.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Table } from '../../../ui/table.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { settingsAt } from '../../settings/tabs.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { warnUnused } from './actions.ts';

/** Which accounts are unused, and what happens to them. */
export default async function UnusedPage() {
  await guardPage('/admin/people/unused');
  const text = await pageText();
  const plan = await planUnused(new Date());
  return (
    <AdminPage title={text('unused.title')} text={text('unused.text')} up="/admin/people">
      <RuleCard plan={plan} />
      {plan.users.length > 0 ? (
        <UnusedTable plan={plan} />
      ) : (
        plan.held !== 'off' && (
          <EmptyState icon="people" title={text('unused.none')} text={text('unused.noneText')} />
        )
      )}
    </AdminPage>
  );
}

async function RuleCard({ plan }: { plan: UnusedPlan }) {
  const text = await pageText();
  const { days, noticeDays, since, held, unused } = plan;
  if (held === 'off')
    return (
      <Card id="rule" title={text('unused.title')} text={text('unused.off')}>
        <ToSettings />
      </Card>
    );
  const said = text('unused.rule', { days, notice: noticeDays });
  const from = since ? text('unused.since', { day: dayIn(text.locale, since) }) : '';
  return (
    <Card id="rule" title={text('unused.title')} text={`${said} ${from}`}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {held && (
          <Notice kind="warning" locale={text.locale}>
            {held === 'share'
              ? text('unused.heldShare')
              : text('unused.heldGroup', { name: plan.unknownGroups.join(', ') })}
          </Notice>
        )}
        <FactList
          facts={[
            [text('unused.people'), String(plan.people)],
            [text('unused.warnedFact'), String(plan.warned)],
            [text('unused.notWarned'), String(unused)],
            [text('unused.most'), String(plan.most)],
          ]}
        />
        {held !== 'group' && unused > 0 && (
          <SaveForm
            action={warnUnused}
            label={text('unused.title')}
            fields={{ expected: String(unused) }}
            kind="secondary"
            save={text('unused.warn', { count: unused })}
          />
        )}
        <ToSettings />
      </div>
    </Card>
  );
}

async function ToSettings() {
  const text = await pageText();
  return (
    <p>
      <QuickLink className="gh-link" href={`${settingsAt('sign-in')}#unused`}>
        {text('settings.title')}
      </QuickLink>
    </p>
  );
}

async function UnusedTable({ plan: { users } }: { plan: UnusedPlan }) {
  const text = await pageText();
  const day = (at: Date | null) => at && <Day locale={text.locale} at={at.toISOString()} />;
  return (
    <Table
      caption={text('unused.list')}
      columns={[
        { key: 'person', label: text('unused.person') },
        { key: 'used', label: text('unused.lastUsed') },
        { key: 'ends', label: text('unused.ends') },
      ]}
      rows={users.map((one) => ({
        key: one.id,
        cells: {
          person: (
            <QuickLink className="gh-link font-semibold" href={`/admin/people/${one.id}`}>
              <UserText text={one.username} />
            </QuickLink>
          ),
          used: day(one.lastUsedAt ?? one.lastSignInAt) ?? text('unused.never'),
          ends: day(one.endsAt) ?? '',
        },
      }))}
    />
  );
}
