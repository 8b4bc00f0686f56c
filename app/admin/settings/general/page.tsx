import { pageRequest } from '#lib/http/next.ts';
import { readServerFacts, type ServerFacts } from '#lib/management/server-facts.ts';
import { listSettings } from '#lib/management/setting/settings.ts';
import type { Text } from '#lib/messages/text.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { DoctorCard } from '../../doctor/card.tsx';
import { addressText } from '../../overview/steps.tsx';
import { OnlyFor } from '../../ui/allowed.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { QuickButton, QuickLink } from '../../ui/quick-link.tsx';
import { SettingsFrame } from '../frame.tsx';
import { SettingFields, SettingForm } from '../setting-form.tsx';
import { onCard, settingsAt } from '../tabs.ts';
import { MailCard } from './mail-card.tsx';

/** What this server is, its address and database, and its keys. */
export default async function GeneralPage() {
  await guardPage('/admin/settings/general');
  const text = await pageText();
  const facts = await readServerFacts(await pageRequest());
  const settings = onCard(await listSettings(), 'records');
  return (
    <SettingsFrame tab="general">
      <ServerCard facts={facts} />
      <OnlyFor need="admin">
        <DoctorCard />
      </OnlyFor>
      <MailCard mail={facts.mail} from="settings" />
      <KeysCard facts={facts} />
      <SettingForm tab="general" label={text('settings.records')}>
        <Card id="records" title={text('settings.records')} text={text('settings.recordsText')}>
          <SettingFields settings={settings} />
        </Card>
      </SettingForm>
    </SettingsFrame>
  );
}

async function ServerCard({
  facts: { name, version, address, listens, database },
}: {
  facts: ServerFacts;
}) {
  const text = await pageText();
  const isOdd = address.is === 'other' || address.is === 'plain';
  const named = (
    <>
      <UserText text={name} />{' '}
      <QuickLink className="gh-link text-sm" href={settingsAt('look')}>
        {text('settings.server.rename')}
      </QuickLink>
    </>
  );
  const where = (
    <>
      <span className="font-mono text-sm text-ink">{address.issuer}</span>{' '}
      {isOdd && <Badge tone="warning">{text('settings.server.check')}</Badge>}
      <span className="mt-1 block text-sm">{addressText(text, address)}</span>
    </>
  );
  return (
    <Card id="server" title={text('settings.server.title')}>
      <FactList
        facts={[
          [text('settings.server.name'), named],
          [text('settings.server.version'), version],
          [text('settings.server.address'), where],
          [
            text('settings.server.listens'),
            <span key="at" className="font-mono text-sm">
              {listens}
            </span>,
          ],
          [text('settings.server.database'), databaseOf(text, database)],
        ]}
      />
    </Card>
  );
}

function databaseOf(text: Text, { kind, place }: ServerFacts['database']): string {
  if (kind === 'sqlite') return text('settings.server.databases.sqlite', { file: place });
  return place ? text('settings.server.databases.postgresql', { place }) : 'PostgreSQL';
}

async function KeysCard({ facts: { signingKeys, tokenKeys } }: { facts: ServerFacts }) {
  const text = await pageText();
  const age = (inUse: Date | null) =>
    inUse ? (
      <>
        {text('settings.keys.since')} <Moment locale={text.locale} at={inUse} />
      </>
    ) : (
      text('settings.keys.none')
    );
  return (
    <Card
      id="keys"
      title={text('keys.title')}
      text={text('settings.keys.text')}
      actions={
        <QuickButton kind="secondary" size="small" href="/admin/settings/keys">
          {text('settings.keys.manage')}
        </QuickButton>
      }
    >
      <FactList
        facts={[
          [text('settings.keys.signing'), age(signingKeys)],
          [text('settings.keys.tokens'), age(tokenKeys)],
        ]}
      />
    </Card>
  );
}
