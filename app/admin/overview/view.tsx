import { config } from '#lib/config.ts';
import type { Period } from '#lib/management/overview.ts';
import { issuerChangeText } from '#lib/messages/issuer-change.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { Card } from '../../ui/card.tsx';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { OnlyFor } from '../ui/allowed.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { AppActivity } from './app-activity.tsx';
import { AttentionList, attentionGroups } from './attention-list.tsx';
import { ReasonTable } from './reason-table.tsx';
import type { HomeScreen } from './screen.ts';
import { SignInsCard } from './sign-ins-card.tsx';
import { type Step, StepList, stepsOf } from './steps.tsx';

type HomeProps = { period: Period; zone: string; screen: HomeScreen };

/**
 * The steps to the first sign-in at an app; after that, what needs attention and the present
 * activity.
 */
export async function HomeView({ period, zone, screen }: HomeProps) {
  const text = await pageText();
  const { home, attention, proxies, unreadable, atWork } = screen;
  const steps = stepsOf(text, home, zone);
  // A wrong address and an overdue backup are shown for as long as they last.
  const wrong = steps.filter(
    ({ key, state }) => (key === 'address' || key === 'backup') && state === 'open',
  );
  const { issuerChange } = home;
  const kinds = attentionGroups(text, attention).length;
  const notices = [proxies.length > 0, unreadable, issuerChange].filter(Boolean).length;
  return (
    <AdminPage
      title={text('start.title')}
      heading={
        home.hasSignIn
          ? stateOf(text, attention.failing.length, kinds + notices + wrong.length)
          : undefined
      }
      text={atWork ? <Facts period={period} atWork={atWork} /> : text('start.lead')}
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
      {unreadable && (
        <AdminNotice kind="warning">
          {text('overview.unreadableForward', { proxy: unreadable[0], received: unreadable[1] })}
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
      {home.hasSignIn &&
        wrong.map(({ key, text: why }) => (
          <AdminNotice key={key} kind="warning" title={text(`start.${key}.title`)}>
            {why}
          </AdminNotice>
        ))}
      {kinds > 0 && (
        <Card id="attention" title={text('overview.attention')}>
          <AttentionList attention={attention} />
        </Card>
      )}
      {atWork && <SignInsCard activity={atWork.signIns} period={period} zone={zone} />}
      {atWork && <Apps period={period} clients={atWork.clients} failing={attention.failing} />}
      {atWork && atWork.reasons.length > 0 && (
        <Card id="reasons" title={text('overview.reasons')} text={text('overview.reasonsText')}>
          <ReasonTable reasons={atWork.reasons} />
        </Card>
      )}
      {home.hasSignIn && <StepsLeft steps={steps} />}
    </AdminPage>
  );
}

const isDone = ({ state }: Step) => state === 'done';
const isOpen = ({ state }: Step) => state === 'open';

/** The steps with their count. Advice counts as neither done nor open. */
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

/** The steps that were skipped on the way to the first sign-in, folded. */
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

type AtWork = NonNullable<HomeScreen['atWork']>;

/** One sentence about the state of the server. */
function stateOf(text: Text, failing: number, points: number): string {
  if (failing > 0) return text('overview.state.failing', { failing });
  return points > 0 ? text('overview.state.points', { points }) : text('overview.state.well');
}

/** What that sentence omits: the number of sign-ins, and that some requests were refused. */
async function Facts({ period, atWork }: { period: Period; atWork: AtWork }) {
  const text = await pageText();
  const refused = atWork.reasons.reduce((sum, { day }) => sum + day, 0);
  const compared = comparedOf(text, period, atWork.signIns);
  if (refused === 0) return compared;
  return (
    <>
      {compared} ·{' '}
      <a className="gh-link" href="#reasons">
        {text('overview.refusedToday', { refused })}
      </a>
    </>
  );
}

/** The minimum number of sign-ins for a comparison. */
const fewest = 20;

function comparedOf(text: Text, period: Period, { worked, workedBefore }: AtWork['signIns']) {
  const signIns = text('overview.signInsIn', {
    worked,
    period: text(`overview.inPeriod.${period}`),
  });
  // With only a handful, a percentage means nothing.
  if (workedBefore < fewest) return signIns;
  const times = worked / workedBefore;
  const change = Math.round((times - 1) * 100);
  const than = text(`overview.than.${period}`);
  if (times >= 3) return `${signIns} ${text('overview.times', { times: Math.round(times), than })}`;
  if (change === 0) return `${signIns} ${text('overview.asMany', { than })}`;
  const percent = Math.abs(change);
  return `${signIns} ${text(change > 0 ? 'overview.moreThan' : 'overview.fewerThan', { percent, than })}`;
}

type AppsProps = {
  period: Period;
  clients: AtWork['clients'];
  failing: HomeScreen['attention']['failing'];
};

async function Apps({ period, clients, failing }: AppsProps) {
  const text = await pageText();
  return (
    <Card
      id="apps"
      title={text('overview.apps')}
      text={text('overview.appsText', { period: text(`overview.inPeriod.${period}`) })}
      actions={
        <QuickLink className="gh-link text-sm font-semibold" href="/admin/clients">
          {text('overview.allApps')}
        </QuickLink>
      }
    >
      <AppActivity clients={clients} failing={new Set(failing.map(({ id }) => id))} />
    </Card>
  );
}
