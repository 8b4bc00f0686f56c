import type { ClientRecord } from '#lib/management/client/clients.ts';
import { appLinks } from '#lib/oauth/app-links.ts';
import { grantLabel } from '#lib/oauth/grant-types.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { UserText } from '../../../../ui/user-text.tsx';

type Fact = [label: string, values: readonly (string | null)[]];

/** What an app's document decides, which can be read but not changed here. */
export async function DecidedCard({ client }: { client: ClientRecord }) {
  const text = await pageText();
  const grants = client.grants.map(grantLabel);
  const facts: Fact[] = [
    [text('clients.name'), [client.name]],
    [text('clients.redirectUris'), client.redirectUris],
    ...appLinks.map((link): Fact => [text(`clients.${link}`), [client[link]]]),
    [text('clients.postLogout'), client.postLogoutRedirectUris],
    [text('clients.grants'), grants],
    [
      text('clients.type'),
      [client.type === 'public' ? text('clients.public') : text('clients.confidential')],
    ],
    ...(client.jwksUri ? [[text('clients.jwksUri'), [client.jwksUri]] satisfies Fact] : []),
  ];
  return (
    <Card id="decided" title={text('newApps.decided')} text={text('newApps.decidedText')}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {facts.map(([label, values]) => (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-ink-soft">{label}</dt>
            <Values values={values.filter((value) => value !== null)} />
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm">
        <a className="gh-link break-all" href={client.id} rel="noreferrer" target="_blank">
          {text('newApps.openDocument')}
        </a>
      </p>
    </Card>
  );
}

async function Values({ values }: { values: readonly string[] }) {
  const text = await pageText();
  if (values.length === 0) return <dd className="text-ink-soft">{text('newApps.none')}</dd>;
  return values.map((value) => (
    <dd key={value} className="font-medium wrap-anywhere">
      <UserText text={value} />
    </dd>
  ));
}
