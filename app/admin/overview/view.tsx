import { config } from '#lib/config.ts';
import type { Period } from '#lib/management/overview.ts';
import { issuerChangeText } from '#lib/messages/issuer-change.ts';
import { pageText } from '../../locale.ts';
import { Card } from '../../ui/card.tsx';
import { DoctorCard } from '../doctor/card.tsx';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { OnlyFor } from '../ui/allowed.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { AppActivity } from './app-activity.tsx';
import { AttentionList, UnprovedNotice } from './attention-list.tsx';
import { ReasonTable } from './reason-table.tsx';
import { type HomeScreen, knownPeriods } from './screen.ts';
import { SeriesCard } from './series-card.tsx';
import { type Step, StepList, stepsOf } from './steps.tsx';

/** The steps to the first sign-in at an app; after it, what needs attention and what goes on. */
export async function HomeView({ period, screen }: { period: Period; screen: HomeScreen }) {
  const text = await pageText();
  const { home, attention, unproved, proxies, atWork } = screen;
  const steps = stepsOf(text, home);
  // A wrong address and a backup that is late matter for as long as they last.
  const wrong = steps.filter(
    ({ key, state }) => (key === 'address' || key === 'backup') && state === 'open',
  );
  const needsAttention = Object.values(attention).some((list) => list.length > 0);
  const { issuerChange } = home;
  const isWell = !needsAttention && wrong.length === 0 && proxies.length === 0 && !issuerChange;
  return (
    <AdminPage
      title={text('start.title')}
      text={home.hasSignIn ? text('start.leadAtWork') : text('start.lead')}
      actions={home.hasSignIn && <Periods chosen={period} />}
    >
      {proxies.length > 0 && (
        <AdminNotice kind="warning">
          {text(
            config().trustedProxies.length > 0
              ? 'overview.untrustedProxy'
              : 'overview.noTrustedProxy',
            { peers: proxies.join(', ') },
          )}
        </AdminNotice>
      )}
      {issuerChange && (
        <AdminNotice kind="warning" title={text('issuerChange.title')}>
          {issuerChangeText(text, issuerChange)}{' '}
          <a className="gh-link font-medium" href="/docs/change-address">
            {text('issuerChange.link')}
          </a>
        </AdminNotice>
      )}
      {!home.hasSignIn && <Steps steps={steps} />}
      {home.hasSignIn && isWell && (
        <AdminNotice kind="success" title={text('start.well')}>
          {text('start.wellText')}
        </AdminNotice>
      )}
      {home.hasSignIn &&
        wrong.map(({ key, text: why }) => (
          <AdminNotice key={key} kind="warning" title={text(`start.${key}.title`)}>
            {why}
          </AdminNotice>
        ))}
      {needsAttention && (
        <Card id="attention" title={text('overview.attention')}>
          <AttentionList attention={attention} />
        </Card>
      )}
      <UnprovedNotice clients={unproved} />
      <OnlyFor need="admin">
        <DoctorCard sendsMail={home.mail.is !== 'off'} />
      </OnlyFor>
      {atWork && <AtWork period={period} {...atWork} />}
      {home.hasSignIn && <StepsLeft steps={steps} />}
    </AdminPage>
  );
}

const isDone = ({ state }: Step) => state === 'done';
const isOpen = ({ state }: Step) => state === 'open';

/** Advice is neither done nor left. */
async function Steps({ steps }: { steps: readonly Step[] }) {
  const text = await pageText();
  const done = steps.filter(isDone).length;
  const of = done + steps.filter(isOpen).length;
  return (
    <Card
      id="steps"
      title={text('start.steps')}
      text={text('start.stepsText', { done, of })}
      actions={
        <OnlyFor need="admin">
          <QuickLink className="gh-link text-sm" href="/admin/set-up">
            {text('start.byStep')}
          </QuickLink>
        </OnlyFor>
      }
    >
      <StepList steps={steps} />
    </Card>
  );
}

/** What was left out on the way to the first sign-in, folded. */
async function StepsLeft({ steps }: { steps: readonly Step[] }) {
  const text = await pageText();
  const left = steps.filter(isOpen);
  if (left.length === 0) return null;
  return (
    <details className="rounded-2xl border border-line bg-surface px-5 py-4">
      <summary className="w-fit cursor-pointer font-semibold">
        {text('start.left', { open: left.length })}
      </summary>
      <div className="mt-4">
        <StepList steps={left} />
      </div>
    </details>
  );
}

type AtWorkProps = NonNullable<HomeScreen['atWork']> & { period: Period };

async function AtWork({ period, activity, clients, reasons }: AtWorkProps) {
  const text = await pageText();
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {activity.map((series) => (
          <SeriesCard key={series.name} series={series} period={period} />
        ))}
      </div>
      <Card
        id="apps"
        title={text('overview.apps')}
        text={text('overview.appsText', { period: text(`overview.inPeriod.${period}`) })}
      >
        <AppActivity clients={clients} />
      </Card>
      {reasons.length > 0 && (
        <Card id="reasons" title={text('overview.reasons')} text={text('overview.reasonsText')}>
          <ReasonTable reasons={reasons} />
        </Card>
      )}
    </>
  );
}

async function Periods({ chosen }: { chosen: Period }) {
  const text = await pageText();
  return (
    <nav
      aria-label={text('overview.period')}
      className="flex rounded-xl border border-line bg-surface p-1"
    >
      {knownPeriods.map((period) => (
        <QuickLink
          key={period}
          href={period === '24h' ? '/admin' : `/admin?period=${period}`}
          aria-current={period === chosen ? 'true' : undefined}
          className={`rounded-lg px-3 py-1.5 text-sm font-semibold ${period === chosen ? 'bg-accent-tint text-accent' : 'text-ink-soft hover:text-ink'}`}
        >
          {text(`overview.periods.${period}`)}
        </QuickLink>
      ))}
    </nav>
  );
}
