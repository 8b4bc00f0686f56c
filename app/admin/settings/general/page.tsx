import { pageRequest } from '#lib/http/next.ts';
import { readServerFacts, type ServerFacts } from '#lib/management/server-facts.ts';
import { listSettings } from '#lib/management/setting/settings.ts';
import { homeWords } from '#lib/messages/admin/home.ts';
import { keyWords } from '#lib/messages/admin/keys.ts';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import { requirePermission } from '../../../guards.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { QuickButton, QuickLink } from '../../ui/quick-link.tsx';
import { FactList } from '../fact-list.tsx';
import { SettingsFrame } from '../frame.tsx';
import { SettingFields, SettingForm } from '../setting-form.tsx';
import { settingsAt } from '../tabs.ts';
import { MailCard } from './mail-card.tsx';

const records = ['auditRetentionDays', 'traceRetentionDays'];

/** What this server is, where it is, what it stores in, and its keys. */
export default async function GeneralPage() {
  await requirePermission('see-everything');
  const facts = await readServerFacts(await pageRequest());
  const settings = (await listSettings()).filter(({ key }) => records.includes(key));
  return (
    <SettingsFrame tab="general">
      <ServerCard facts={facts} />
      <MailCard mail={facts.mail} from="settings" />
      <KeysCard facts={facts} />
      <SettingForm tab="general" label={words.records}>
        <Card id="records" title={words.records} text={words.recordsText}>
          <SettingFields settings={settings} />
        </Card>
      </SettingForm>
    </SettingsFrame>
  );
}

function ServerCard({
  facts: { name, version, address, listens, database },
}: {
  facts: ServerFacts;
}) {
  const { server } = words;
  const isOdd = address.is === 'other' || address.is === 'plain';
  const named = (
    <>
      <UserText text={name} />{' '}
      <QuickLink className="gh-link text-sm" href={settingsAt('look')}>
        {server.rename}
      </QuickLink>
    </>
  );
  const where = (
    <>
      <span className="font-mono text-sm text-ink">{address.issuer}</span>{' '}
      {isOdd && <Badge tone="warning">{server.check}</Badge>}
      <span className="mt-1 block text-sm">
        {homeWords.address[address.is](address.issuer, address.opened)}
      </span>
    </>
  );
  return (
    <Card id="server" title={server.title}>
      <FactList
        facts={[
          [server.name, named],
          [server.version, version],
          [server.address, where],
          [
            server.listens,
            <span key="at" className="font-mono text-sm">
              {listens}
            </span>,
          ],
          [server.database, server.databases[database.kind](database.place)],
        ]}
      />
    </Card>
  );
}

function KeysCard({ facts: { signingKeys, tokenKeys } }: { facts: ServerFacts }) {
  const { keys } = words;
  const age = (inUse: Date | null) =>
    inUse ? (
      <>
        {keys.since} <Moment at={inUse} />
      </>
    ) : (
      keys.none
    );
  return (
    <Card
      id="keys"
      title={keyWords.title}
      text={keys.text}
      actions={
        <QuickButton kind="secondary" size="small" href="/admin/settings/keys">
          {keys.manage}
        </QuickButton>
      }
    >
      <FactList
        facts={[
          [keys.signing, age(signingKeys)],
          [keys.tokens, age(tokenKeys)],
        ]}
      />
    </Card>
  );
}
