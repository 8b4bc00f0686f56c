import type { ClientRecord } from '#lib/management/client/clients.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { Day } from '../../../../ui/day.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { When } from '../../../../ui/when.tsx';
import { settingsAt } from '../../../settings/tabs.ts';
import { Fact } from '../../../ui/fact.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';

/** The origin of an app that registered itself; nothing for one that an admin added. */
export async function RegistrationCard({ client }: { client: ClientRecord }) {
  const text = await pageText();
  const { registration, origin } = client;
  if (origin === 'admin' || !registration) return null;
  const { host, createdAt, fetchedAt, staleAt } = registration;
  const isDocument = origin === 'document';
  return (
    <Card
      id="registered"
      title={text('newApps.factsTitle')}
      text={isDocument ? text('newApps.factsDocument') : text('newApps.factsRegistration')}
      actions={
        <QuickLink
          className="gh-link text-sm"
          href={`${settingsAt('new-apps')}?host=${encodeURIComponent(host)}#hosts`}
        >
          {text('newApps.allOfHost')}
        </QuickLink>
      }
    >
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact label={text('newApps.factHost')}>
          <UserText text={host} />
        </Fact>
        <Fact label={text('newApps.factOrigin')}>{text(`newApps.origins.${origin}`)}</Fact>
        <Fact label={text('newApps.factSince')}>
          <Day locale={text.locale} at={createdAt.toISOString()} />
        </Fact>
        {isDocument && fetchedAt && (
          <Fact label={text('newApps.factRead')}>
            <When locale={text.locale} at={fetchedAt} />
          </Fact>
        )}
        {isDocument && staleAt && (
          <Fact label={text('newApps.factStale')}>
            <When locale={text.locale} at={staleAt} />
          </Fact>
        )}
      </dl>
    </Card>
  );
}
