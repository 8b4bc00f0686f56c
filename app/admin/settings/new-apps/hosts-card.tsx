import { type BlockedHost, lookUpHost } from '#lib/management/host/hosts.ts';
import { countIn } from '#lib/messages/formats.ts';
import { sentenceIn } from '#lib/messages/text.ts';
import { pageText } from '../../../locale.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Day } from '../../../ui/day.tsx';
import { Field } from '../../../ui/field.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Input } from '../../../ui/input.tsx';
import { Table } from '../../../ui/table.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Confirmed } from '../../ui/forms/confirmed.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { settingsAt } from '../tabs.ts';
import { blockOneHost, removeHostApps, unblockOneHost } from './host-actions.ts';

type Props = {
  blocked: readonly BlockedHost[];
  /** The host that was looked up. */
  asked?: string;
};

/** Shows what exists for a host, blocks it or removes its apps; and lists the blocked hosts. */
export async function HostsCard({ blocked, asked = '' }: Props) {
  const text = await pageText();
  const found = asked === '' ? null : await lookUpHost(asked, new Date());
  const fault = found && 'fault' in found ? sentenceIn(text.locale, found.fault) : undefined;
  return (
    <Card id="hosts" title={text('newApps.hosts')} text={text('newApps.hostsText')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <form action={`${settingsAt('new-apps')}#hosts`} className="grid gap-3 sm:max-w-md">
          <Field
            name="host"
            label={text('newApps.host')}
            hint={text('newApps.hostHint')}
            error={fault}
          >
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
            <Button kind="secondary">{text('newApps.look')}</Button>
          </div>
        </form>
        {found && 'host' in found && <Found {...found} />}
        {blocked.length > 0 ? (
          <BlockedTable blocked={blocked} />
        ) : (
          <p className="text-ink-soft">{text('newApps.noneBlocked')}</p>
        )}
      </div>
    </Card>
  );
}

type Found = { host: string; apps: number; people: number; signIns: number; isBlocked: boolean };

async function Found({ host, apps, people, signIns, isBlocked }: Found) {
  const text = await pageText();
  return (
    <section aria-label={host} className="grid gap-3 rounded-xl border border-line bg-sunken p-4">
      <p className="wrap-anywhere">
        <strong>{host}</strong>:{' '}
        {apps === 0
          ? text('newApps.foundNone')
          : text('newApps.found', { apps: apps, people: people, signIns: signIns })}{' '}
        {isBlocked && text('newApps.isBlocked')}
      </p>
      <div className="flex flex-wrap gap-3">
        {!isBlocked && (
          <Confirmed
            action={blockOneHost}
            className="has-[details[open]]:w-full"
            fields={{ host }}
            label={text('newApps.block')}
            text={text('newApps.blockText', { host })}
            confirm={text('newApps.blockConfirm')}
          />
        )}
        {apps > 0 && (
          <Confirmed
            action={removeHostApps}
            className="has-[details[open]]:w-full"
            fields={{ host }}
            label={text('newApps.removeApps')}
            text={text('newApps.removeAppsText', { host })}
            confirm={text('newApps.removeAppsConfirm')}
          />
        )}
      </div>
    </section>
  );
}

async function BlockedTable({ blocked }: Pick<Props, 'blocked'>) {
  const text = await pageText();
  return (
    <Table
      caption={text('newApps.blockedList')}
      columns={[
        { key: 'host', label: text('newApps.columnHost') },
        { key: 'apps', label: text('newApps.columnApps'), numeric: true },
        { key: 'since', label: text('newApps.columnBlocked') },
        { key: 'act', label: <span className="sr-only">{text('newApps.unblock')}</span> },
      ]}
      rows={blocked.map(({ host, apps, createdAt }) => ({
        key: host,
        cells: {
          host: <span className="font-semibold wrap-anywhere">{host}</span>,
          apps: countIn(text.locale, apps),
          since: <Day locale={text.locale} at={createdAt.toISOString()} />,
          act: (
            <ActionForm action={unblockOneHost} className="grid gap-3 sm:-my-1.5">
              <Hidden fields={{ host }} />
              <Submit kind="quiet" size="small" aria-label={text('newApps.unblockLabel', { host })}>
                {text('newApps.unblock')}
              </Submit>
            </ActionForm>
          ),
        },
      }))}
    />
  );
}
