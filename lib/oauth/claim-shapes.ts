import type { InfoUser } from './info-user.ts';
import type { ClaimRules, FurtherFacts } from './operator-claims.ts';

type Shaped = {
  user: InfoUser;
  /** The user's name, if the app may see it. */
  name: string | undefined;
  registeredAt: Date | null;
};
type Shape = Readonly<Record<string, (of: Shaped) => unknown>>;

const claimShapes: Record<ClaimRules['claimShape'], Shape> = {
  standard: {},
  /** What the WordPress plugin of that name returns at its `/oauth/me`: columns of `wp_users`. */
  'wp-oauth-server': {
    ID: ({ user }) => user.id,
    user_login: ({ user }) => user.username,
    user_nicename: ({ user }) => nicename(user.username) || user.id,
    user_email: ({ user }) => user.email,
    user_registered: ({ registeredAt }) => registeredAt && wordPressTime(registeredAt),
    user_status: () => '0',
    // WordPress shows the login of users who have no name.
    display_name: ({ user, name }) => name ?? user.username,
  },
};

/** The claims that a client's shape adds; the name only if the standard claims include it. */
export function shapeClaims(
  shape: ClaimRules['claimShape'],
  user: InfoUser,
  name: unknown,
  facts: FurtherFacts | null,
): Record<string, unknown> {
  const of: Shaped = {
    user,
    name: typeof name === 'string' ? name : undefined,
    registeredAt: facts?.registeredAt ?? null,
  };
  const entries = Object.entries(claimShapes[shape]).map(([claim, make]) => [claim, make(of)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** `2026-11-22 06:30:00`, in UTC. */
function wordPressTime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

/** The login as WordPress writes it in addresses. */
function nicename(login: string): string {
  return login
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50);
}
