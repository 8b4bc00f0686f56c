import { decoded } from '#lib/http/decoded.ts';
import { pageRequest } from '#lib/http/next.ts';
import { openReport, type ShownReport } from '#lib/interaction/provider-trial.ts';
import { providerWithId } from '#lib/management/provider/providers.ts';
import { findUser } from '#lib/store/users.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../../params.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { rich } from '../../../../ui/rich.tsx';
import { stripBidi, UserText } from '../../../../ui/user-text.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { AdminPage } from '../../../ui/admin-page.tsx';
import { Steps } from './steps.tsx';

type Props = { params: Promise<{ providerId: string }>; searchParams: SearchParams };

/** A trial sign-in at a provider, step by step, which signs no one in. */
export default async function TryProviderPage({ params, searchParams }: Props) {
  const session = await guardPage('/admin/providers/[providerId]/try');
  const text = await pageText();
  const now = new Date();
  const provider = await orNotFound(providerWithId(decoded((await params).providerId), now));
  const { report: sent } = await readParams(searchParams);
  const request = await pageRequest();
  const report = await openReport(sent, { provider, session }, request, now);
  const { id, name } = provider;
  const title = text('providers.try.title', { name: stripBidi(name) });
  return (
    <AdminPage
      title={title}
      text={text('providers.try.lead')}
      up={{ href: `/admin/providers/${encodeURIComponent(id)}`, label: stripBidi(name) }}
      width="narrow"
    >
      {sent && !report && <AdminNotice kind="warning">{text('trial.over')}</AdminNotice>}
      {report && (
        <>
          <Outcome report={report} isOn={provider.enabled && provider.maySignIn} />
          <Steps steps={report.steps} />
        </>
      )}
      <Card
        id="start"
        title={text(report ? 'trial.again' : 'trial.start')}
        text={text('providers.try.real')}
      >
        <ButtonLink
          kind={report ? 'secondary' : 'primary'}
          href={`/login/with/${provider.slug}?for=try`}
        >
          {text('providers.try.go', { name: stripBidi(name) })}
        </ButtonLink>
      </Card>
    </AdminPage>
  );
}

/** What would happen to people who sign in like this. */
async function Outcome({ report, isOn }: { report: ShownReport; isOn: boolean }) {
  const text = await pageText();
  const { outcome, userId } = report;
  const user = userId === null ? null : await findUser(userId);
  const person = user ? (
    <a className="gh-link" href={`/admin/people/${encodeURIComponent(user.id)}`}>
      <UserText text={user.username} />
    </a>
  ) : (
    '—'
  );
  const isGood = outcome === 'linked' || outcome === 'claimed' || outcome === 'new';
  return (
    <>
      <AdminNotice kind={isGood ? 'success' : 'warning'}>
        {outcome === 'linked' || outcome === 'closed' || outcome === 'claimed'
          ? rich(`providers.try.outcomes.${outcome}`, { person }, text.locale)
          : text(`providers.try.outcomes.${outcome ?? 'stopped'}`)}
      </AdminNotice>
      {!isOn && <AdminNotice kind="warning">{text('providers.try.off')}</AdminNotice>}
    </>
  );
}
