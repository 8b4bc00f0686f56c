import type { CheckedRequest } from '#lib/interaction/context.ts';
import type { Account } from '#lib/interaction/kept-out.ts';
import { productName } from '#lib/messages/text.ts';
import { shownSelfGivenName } from '#lib/oauth/self-given-name.ts';
import { opensUserInformation } from '#lib/oauth/userinfo.ts';
import type { ConnectedApp } from '#lib/store/connected-apps.ts';
import type { Delegation, Delegations } from '#lib/store/delegations.ts';
import type { DestinationFace } from './destination.tsx';
import type { AccountSummary, ActingLine, ConnectedAppSummary } from './view-models.ts';

/** The account that the user is signed in to, as its pages show it. */
export const accountSummary = ({
  id,
  username,
  email,
  name,
  picture,
}: Account): AccountSummary => ({
  id,
  username,
  email,
  name: name ?? undefined,
  picture: picture ?? undefined,
});

/** The destination of a request, as shown on the consent page. */
export function destinationOf({ client, target }: CheckedRequest): DestinationFace {
  const url = new URL(target.uri);
  const device =
    target.kind === 'private-use' || (target.kind === 'loopback' && client.type === 'public');
  return {
    // Whatever follows a scheme may look like a host, but is the app maker's free choice.
    label: target.kind === 'private-use' ? url.protocol : url.host,
    unregistered: !target.registered,
    insecure: target.kind === 'http',
    device,
    unverified: client.origin !== 'admin',
  };
}

/** Gives the names of connected apps as the user knows them. */
const namesIn = (apps: readonly ConnectedApp[]) => (id: string | undefined) => {
  const app = apps.find((each) => each.id === id);
  return app ? connectedAppSummary(app).name : (id ?? '');
};

/** A connected app with the apps that act through it, and those through which it acts itself. */
export function summaryWithActing(
  app: ConnectedApp,
  { live: delegations, former }: Delegations,
  apps: readonly ConnectedApp[],
): ConnectedAppSummary {
  const nameOf = namesIn(apps);
  const own = delegations.filter(({ clientId }) => clientId === app.id);
  const fronts = [...new Set(own.map(({ lineage }) => lineage.at(-1)))].map((front) => ({
    name: nameOf(front),
    since: own.find(({ lineage }) => lineage.at(-1) === front)?.since.toISOString() ?? '',
  }));
  const [past] = former.filter(({ clientId }) => clientId === app.id);
  const summary = connectedAppSummary(app);
  const acting = actingThrough(app.id, delegations, nameOf);
  // An app that acts through this one was called with one of its tokens, so that is a use too.
  const uses = [summary.lastUsedAt ?? '', ...acting.map(({ since }) => since)].toSorted();
  return {
    ...summary,
    lastUsedAt: uses.at(-1) || undefined,
    acting,
    through: fronts,
    ...(past && {
      acted: { through: nameOf(past.lineage.at(-1)), until: past.until.toISOString() },
    }),
  };
}

/** Each listed below the app that it acts through. */
function actingThrough(
  clientId: string,
  delegations: readonly Delegation[],
  nameOf: (id: string | undefined) => string,
): ActingLine[] {
  const pathOf = (each: Delegation) => [each.clientId, ...each.lineage].toReversed().join(' ');
  return delegations
    .filter(({ lineage }) => lineage.at(-1) === clientId)
    .toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1))
    .map((each) => ({
      key: pathOf(each),
      agent: nameOf(each.clientId),
      via: nameOf(each.lineage[0]),
      depth: each.lineage.length - 1,
      since: each.since.toISOString(),
    }));
}

function connectedAppSummary(app: ConnectedApp): ConnectedAppSummary {
  return {
    ...app,
    shares: sharesOf(app),
    // An app that registered itself is named by its host, here as on the consent page.
    ...(app.host && {
      name: app.host,
      calledItself: shownSelfGivenName(app.name, [productName()]) ?? undefined,
    }),
    approvedAt: app.approvedAt.toISOString(),
    lastUsedAt: app.lastUsedAt?.toISOString(),
    endsAt: app.endsAt?.toISOString(),
  };
}

/** What an app sees in any case, with the tokens it holds or, without any, at its next sign-in. */
function sharesOf({ tokens, pairwise }: ConnectedApp): ConnectedAppSummary['shares'] {
  if (pairwise) return 'id';
  const opens = tokens.some(({ scope, audience }) => opensUserInformation(scope, audience));
  return opens || tokens.length === 0 ? 'email' : 'name';
}
