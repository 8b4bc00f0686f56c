import type { CheckedRequest } from '#lib/interaction/context.ts';
import type { Account } from '#lib/interaction/kept-out.ts';
import { productName } from '#lib/messages/text.ts';
import { shownSelfGivenName } from '#lib/oauth/self-given-name.ts';
import type { ConnectedApp } from '#lib/store/connected-apps.ts';
import type { Delegation } from '#lib/store/delegations.ts';
import type { DestinationFace } from './destination.tsx';
import type { AccountSummary, ActingLine, ConnectedAppSummary } from './view-models.ts';

/** The account that somebody is signed in to, as its pages show it. */
export const accountSummary = ({ username, email, name, picture }: Account): AccountSummary => ({
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
    // What stands behind a scheme may look like a host, and is as its maker likes.
    label: target.kind === 'private-use' ? url.protocol : url.host,
    unregistered: !target.registered,
    insecure: target.kind === 'http',
    device,
    unverified: client.origin !== 'admin',
  };
}

/** The name of a connected app, for the person. */
const namesIn = (apps: readonly ConnectedApp[]) => (id: string | undefined) => {
  const app = apps.find((each) => each.clientId === id);
  return app ? connectedAppSummary(app).name : (id ?? '');
};

/** A connected app with who acts through it, and through whom it acts itself. */
export function summaryWithActing(
  app: ConnectedApp,
  delegations: readonly Delegation[],
  apps: readonly ConnectedApp[],
): ConnectedAppSummary {
  const nameOf = namesIn(apps);
  const own = delegations.filter(({ clientId }) => clientId === app.clientId);
  const fronts = new Set(own.map(({ lineage }) => lineage.at(-1)));
  const summary = connectedAppSummary(app);
  const acting = actingThrough(app.clientId, delegations, nameOf);
  // Whoever acts through it was called with a token of it.
  const uses = [summary.lastUsedAt ?? '', ...acting.map(({ since }) => since)].toSorted();
  return {
    ...summary,
    lastUsedAt: uses.at(-1) || undefined,
    acting,
    through: [...fronts].map(nameOf),
  };
}

/** Who acts for a person through an app that they signed in to, each below whom it came through. */
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

/** A connected app, as shown on account pages. */
function connectedAppSummary(app: ConnectedApp): ConnectedAppSummary {
  return {
    ...app,
    // One that registered itself is read by its host, here as when it was allowed.
    ...(app.host && {
      name: app.host,
      calledItself: shownSelfGivenName(app.name, [productName()]) ?? undefined,
    }),
    approvedAt: app.approvedAt.toISOString(),
    lastUsedAt: app.lastUsedAt?.toISOString(),
    endsAt: app.endsAt?.toISOString(),
  };
}
