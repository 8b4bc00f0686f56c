import type { ReactNode } from 'react';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { newAppWords as words } from '#lib/messages/admin/new-apps.ts';
import { Card } from '../../../../ui/card.tsx';
import { Day } from '../../../../ui/day.tsx';
import { Moment } from '../../../../ui/moment.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { settingsAt } from '../../../settings/tabs.ts';
import { QuickLink } from '../../../ui/quick-link.tsx';

/** Who vouches for an app that introduced itself; nothing for one that an admin made. */
export function IntroducedCard({ client }: { client: ClientRecord }) {
  const { introduction, origin } = client;
  if (origin === 'admin' || !introduction) return null;
  const { host, createdAt, fetchedAt, staleAt } = introduction;
  const isDocument = origin === 'document';
  return (
    <Card
      id="introduced"
      title={words.factsTitle}
      text={isDocument ? words.factsDocument : words.factsRegistration}
      actions={
        <QuickLink
          className="gh-link text-sm"
          href={`${settingsAt('new-apps')}?host=${encodeURIComponent(host)}#hosts`}
        >
          {words.allOfHost}
        </QuickLink>
      }
    >
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact label={words.factHost}>
          <UserText text={host} />
        </Fact>
        <Fact label={words.factOrigin}>{words.origins[origin]}</Fact>
        <Fact label={words.factSince}>
          <Day locale="en" at={createdAt.toISOString()} />
        </Fact>
        {isDocument && fetchedAt && (
          <Fact label={words.factRead}>
            <Moment at={fetchedAt} />
          </Fact>
        )}
        {isDocument && staleAt && (
          <Fact label={words.factStale}>
            <Moment at={staleAt} />
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}
