import type { ClientRecord } from '#lib/management/client/clients.ts';
import { clientWords } from '#lib/messages/admin/clients.ts';
import { newAppWords as words } from '#lib/messages/admin/new-apps.ts';
import { Card } from '../../../../ui/card.tsx';
import { UserText } from '../../../../ui/user-text.tsx';

/** What the document of an app decides, to be read and not to be changed here. */
export function DecidedCard({ client }: { client: ClientRecord }) {
  const grants = client.grants.map(
    (grant) => clientWords.grantNames[grant as keyof typeof clientWords.grantNames]?.label ?? grant,
  );
  const facts: [string, readonly (string | null)[]][] = [
    [clientWords.name, [client.name]],
    [clientWords.redirectUris, client.redirectUris],
    [clientWords.homePage, [client.homePage]],
    [clientWords.privacyLink, [client.privacyLink]],
    [clientWords.termsLink, [client.termsLink]],
    [clientWords.postLogout, client.postLogoutRedirectUris],
    [clientWords.grants, grants],
    [clientWords.type, [client.type === 'public' ? clientWords.public : clientWords.confidential]],
  ];
  return (
    <Card id="decided" title={words.decided} text={words.decidedText}>
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
          {words.openDocument}
        </a>
      </p>
    </Card>
  );
}

function Values({ values }: { values: readonly string[] }) {
  if (values.length === 0) return <dd className="text-ink-soft">{words.none}</dd>;
  return values.map((value) => (
    <dd key={value} className="font-medium wrap-anywhere">
      <UserText text={value} />
    </dd>
  ));
}
