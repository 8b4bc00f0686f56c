import { config } from '#lib/config.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { fillGuard, type GuardPlaces, guardTexts } from '#lib/recipes/guard.ts';
import { rangeText } from '#lib/settings/ip-address.ts';
import { pageText } from '../../../../locale.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Block } from '../../../../ui/connect/guide-cards.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { Input } from '../../../../ui/input.tsx';
import { Select } from '../../../../ui/select.tsx';
import { clientPage } from '../../../addresses.ts';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { hrefOf } from '../../../ui/href.ts';
import { placesIn } from './places.ts';

type Query = Readonly<Record<string, string>>;
type Props = { client: ClientRecord; query: Query };

/** What to paste where the proxy of an app runs, with the app's places filled in. */
export async function ProxyCard({ client, query }: Props) {
  const text = await pageText();
  const guards = guardTexts();
  const chosen = guards.find(({ id }) => id === query.proxy);
  const { places, wrong } = placesIn(client, query);
  const { site, app, server } = query;
  return (
    <Card id="proxy" title={text('guard.texts')} text={text('guard.textsText')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <nav aria-label={text('guard.proxy')}>
          <ul className="flex flex-wrap gap-2">
            {guards.map(({ id, name }) => (
              <li key={id}>
                <a
                  className="gh-button gh-button-secondary gh-button-small aria-[current]:border-accent aria-[current]:bg-accent-tint aria-[current]:text-accent"
                  aria-current={id === chosen?.id ? 'true' : undefined}
                  href={`${hrefOf(clientPage(client.id), { proxy: id, site, app, server })}#proxy`}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {chosen && (
          <>
            <Believed />
            <PlacesForm client={client} proxy={chosen.id} places={places} wrong={wrong} />
            <OddSite site={places.site} />
            {wrong.length === 0 &&
              fillGuard(chosen, client, places).map((block, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a proxy never change their order.
                <Block key={`${chosen.id} ${index}`} block={block} />
              ))}
            <p>
              <a className="gh-link" href={`/docs/guard/${chosen.id}`}>
                {text('guard.more')}
              </a>
            </p>
          </>
        )}
      </div>
    </Card>
  );
}

type PlacesProps = {
  client: ClientRecord;
  proxy: string;
  places: GuardPlaces;
  wrong: readonly (keyof GuardPlaces)[];
};

/** Asks where the proxy reaches the program and this server. */
async function PlacesForm({ client, proxy, places, wrong }: PlacesProps) {
  const text = await pageText();
  const { guardedSites: sites } = client;
  return (
    <form
      action={`${clientPage(client.id)}#proxy`}
      className="grid gap-4"
      aria-label={text('guard.places')}
    >
      <Hidden fields={{ proxy }} />
      {sites.length > 1 && (
        <Field name="site" label={text('guard.site')}>
          {(control) => (
            <Select
              {...control}
              defaultValue={places.site}
              options={sites.map((each) => ({ value: each, label: each }))}
            />
          )}
        </Field>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {(['app', 'server'] as const).map((name) => (
          <Field
            key={name}
            name={name}
            label={text(`guard.at.${name}`)}
            hint={text(`guard.atHint.${name}`)}
            error={
              wrong.includes(name) ? text('guard.atWrong', { received: places[name] }) : undefined
            }
          >
            {(control) => (
              <Input
                {...control}
                defaultValue={places[name]}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={300}
              />
            )}
          </Field>
        ))}
      </div>
      <div>
        <Button kind="secondary">{text('guard.fill')}</Button>
      </div>
    </form>
  );
}

/** The texts are for https at its usual port. */
async function OddSite({ site }: { site: string }) {
  const text = await pageText();
  const { protocol, port } = new URL(site);
  if (protocol === 'https:' && port === '') return null;
  return <AdminNotice kind="warning">{text('guard.oddSite', { site })}</AdminNotice>;
}

/** Which proxies this server believes: it refuses what others ask. */
async function Believed() {
  const text = await pageText();
  const { trustedProxies, proxySecretHash } = config();
  const addresses = trustedProxies.map(rangeText).join(', ');
  if (addresses === '' && proxySecretHash === null)
    return (
      <AdminNotice kind="warning" title={text('guard.believesNone')}>
        {text('guard.believesNoneText')}
      </AdminNotice>
    );
  return (
    <p className="text-sm text-ink-soft">
      {addresses !== '' && text('guard.believes', { addresses })}{' '}
      {proxySecretHash !== null && text('guard.believesSecret')}
    </p>
  );
}
