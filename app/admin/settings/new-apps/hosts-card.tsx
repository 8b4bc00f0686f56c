import { type BlockedHost, lookUpHost } from '#lib/management/host/hosts.ts';
import { newAppWords as words } from '#lib/messages/admin/new-apps.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Day } from '../../../ui/day.tsx';
import { Field } from '../../../ui/field.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Input } from '../../../ui/input.tsx';
import { Table } from '../../../ui/table.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { settingsAt } from '../tabs.ts';
import { blockOneHost, removeHostApps, unblockOneHost } from './host-actions.ts';

type Props = {
  blocked: readonly BlockedHost[];
  /** A host that was looked up. */
  asked?: string;
};

/** Looks up what there is of a host, blocks it or removes its apps; and the blocked ones. */
export async function HostsCard({ blocked, asked = '' }: Props) {
  const found = asked === '' ? null : await lookUpHost(asked, new Date());
  const fault = found && 'fault' in found ? found.fault : undefined;
  return (
    <Card id="hosts" title={words.hosts} text={words.hostsText}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <form action={`${settingsAt('new-apps')}#hosts`} className="grid gap-3 sm:max-w-md">
          <Field name="host" label={words.host} hint={words.hostHint} error={fault}>
            {(control) => (
              <Input
                {...control}
                defaultValue={asked}
                required
                maxLength={300}
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
          <div>
            <Button kind="secondary">{words.look}</Button>
          </div>
        </form>
        {found && 'host' in found && <Found {...found} />}
        {blocked.length > 0 ? (
          <BlockedTable blocked={blocked} />
        ) : (
          <p className="text-ink-soft">{words.noneBlocked}</p>
        )}
      </div>
    </Card>
  );
}

type Found = { host: string; apps: number; people: number; signIns: number; isBlocked: boolean };

function Found({ host, apps, people, signIns, isBlocked }: Found) {
  const hidden = <Hidden fields={{ host }} />;
  return (
    <section aria-label={host} className="grid gap-3 rounded-xl border border-line bg-sunken p-4">
      <p className="wrap-anywhere">
        <strong>{host}</strong>: {words.found(apps, people, signIns)} {isBlocked && words.isBlocked}
      </p>
      <div className="flex flex-wrap gap-3">
        {!isBlocked && (
          <ActionForm action={blockOneHost} className="grid gap-3 has-[details[open]]:w-full">
            {hidden}
            <Confirm label={words.block} text={words.blockText(host)}>
              <Submit kind="danger" size="small">
                {words.blockConfirm}
              </Submit>
            </Confirm>
          </ActionForm>
        )}
        {apps > 0 && (
          <ActionForm action={removeHostApps} className="grid gap-3 has-[details[open]]:w-full">
            {hidden}
            <Confirm label={words.removeApps} text={words.removeAppsText(host)}>
              <Submit kind="danger" size="small">
                {words.removeAppsConfirm}
              </Submit>
            </Confirm>
          </ActionForm>
        )}
      </div>
    </section>
  );
}

function BlockedTable({ blocked }: Pick<Props, 'blocked'>) {
  return (
    <Table
      caption={words.blockedList}
      columns={[
        { key: 'host', label: words.columnHost },
        { key: 'apps', label: words.columnApps, numeric: true },
        { key: 'since', label: words.columnBlocked },
        { key: 'act', label: <span className="sr-only">{words.unblock}</span> },
      ]}
      rows={blocked.map(({ host, apps, createdAt }) => ({
        key: host,
        cells: {
          host: <span className="font-semibold wrap-anywhere">{host}</span>,
          apps: apps.toLocaleString('en'),
          since: <Day locale="en" at={createdAt.toISOString()} />,
          act: (
            <ActionForm action={unblockOneHost} className="grid gap-3 sm:-my-1.5">
              <Hidden fields={{ host }} />
              <Submit kind="quiet" size="small" aria-label={words.unblockLabel(host)}>
                {words.unblock}
              </Submit>
            </ActionForm>
          ),
        },
      }))}
    />
  );
}
