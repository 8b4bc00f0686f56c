import type { AuditType } from '../../store/audit.ts';

/** What each event says. Holes: who did it, the person and the client it is about, what it names. */
const sentences = {
  'sign-in.success': '{person} signed in',
  'sign-in.failure': 'Failed sign-in as {person}',
  'sign-in.throttled': '{person} was temporarily locked out after failed sign-ins',
  'sign-out': '{person} signed out',
  'session.ended': '{who} ended sessions of {person}',
  'consent.given': '{person} allowed {client}',
  'consent.denied': '{person} denied {client}',
  'consent.withdrawn': '{who} removed {client} from the account of {person}',
  'code.reused': '{client} reused an authorization code for {person}; its tokens were revoked',
  'refresh-token.reused': '{client} reused a refresh token for {person}; its access was revoked',
  'token.revoked': '{client} revoked a token of {person}',
  'access.refused': '{person} was kept out of {client}, which they may not use',
  'client-auth.failure': 'Failed authentication as {client}',
  'factor.added': '{who} added a second step for {person}',
  'factor.removed': '{who} removed a second step for {person}',
  'factor.renamed': '{who} renamed a second step for {person}',
  'factor.failure': '{person} failed the second step',
  'factor.throttled': '{person} was temporarily locked out of two-step sign-in',
  'factors.reset': '{who} turned off two-step sign-in for {person}',
  'recovery-codes.made': '{who} created recovery codes for {person}',
  'recovery-code.used': '{person} used a recovery code',
  'password.changed': '{person} changed their password',
  'password.reset': '{who} reset the password of {person}',
  'password.reset-requested': 'A password reset link was requested for {person}',
  'email.change-requested': '{person} asked to change their email address',
  'email.changed': 'The email address of {person} changed',
  'email.confirmed': '{person} confirmed their email address',
  'notices.changed': '{person} changed their email notifications',
  'user.registered': '{person} signed up',
  'user.created': '{who} created the account of {person}',
  'user.updated': '{who} changed the profile of {person}',
  'user.disabled': '{who} disabled {person}',
  'user.enabled': '{who} enabled {person}',
  'user.deleted': '{who} deleted {person}',
  'user.admin-changed': '{who} changed the admin role of {person}',
  'user.role-changed': '{who} changed the role of {person}',
  'user.failures-forgotten': '{who} unlocked {person}',
  'user.name-freed': '{who} released a reserved username',
  'invitation.created': '{who} invited someone',
  'invitation.revoked': '{who} withdrew an invitation',
  'client.created': '{who} added the app {client}',
  'client.introduced': 'The app {client} introduced itself, and {person} allowed it',
  'client.updated': '{who} changed the app {client}',
  'client.disabled': '{who} disabled the app {client}',
  'client.enabled': '{who} enabled the app {client}',
  'client.deleted': '{who} deleted the app {client}',
  'client.secret-rotated': '{who} changed the secrets of {client}',
  'client.contact-added': '{who} made {person} a developer contact of {client}',
  'client.contact-removed': '{who} removed {person} as a developer contact of {client}',
  'client.user-allowed': '{who} let {person} use {client}',
  'client.user-disallowed': '{who} no longer lets {person} use {client}',
  'client.group-allowed': '{who} let the group {name} use {client}',
  'client.group-disallowed': '{who} no longer lets the group {name} use {client}',
  'client.tried': '{who} tried the app {client}',
  'scope.created': '{who} added the scope {name}',
  'scope.updated': '{who} changed the scope {name}',
  'scope.deleted': '{who} deleted the scope {name}',
  'group.created': '{who} added the group {name}',
  'group.updated': '{who} changed the group {name}',
  'group.deleted': '{who} deleted the group {name}',
  'group.member-added': '{who} added {person} to the group {name}',
  'group.member-removed': '{who} removed {person} from the group {name}',
  'field.created': '{who} added the field {name}',
  'field.updated': '{who} changed the field {name}',
  'field.deleted': '{who} deleted the field {name}',
  'setting.changed': '{who} changed the setting {name}',
  'branding.changed': '{who} changed the branding',
  'keys.rotated': '{who} created new signing keys',
  'keys.revoked': '{who} revoked a signing key',
  'set-up.completed': '{person} set up this server',
  'audit.exported': '{who} exported the audit log',
  'trace.mended': '{who} fixed a failed attempt of {client}',
} satisfies Record<AuditType, string>;

/** What somebody did to their own account: without their name a second time. */
const ownSentences: Partial<Record<AuditType, string>> = {
  'session.ended': '{person} signed out of another device',
  'consent.withdrawn': '{person} removed {client} from their account',
  'factor.added': '{person} added a second step',
  'factor.removed': '{person} removed a second step',
  'factor.renamed': '{person} renamed a second step',
  'factors.reset': '{person} turned off their two-step sign-in',
  'recovery-codes.made': '{person} created recovery codes',
  'password.reset': '{person} reset their password',
  'user.created': '{person} created their own account',
  'user.updated': '{person} changed their profile',
  'user.disabled': '{person} disabled their own account',
  'user.enabled': '{person} enabled their own account',
  'user.deleted': '{person} deleted their own account',
  'user.admin-changed': '{person} changed their own role',
  'user.role-changed': '{person} changed their own role',
  'user.failures-forgotten': '{person} unlocked their own account',
  'group.member-added': '{person} joined the group {name}',
  'group.member-removed': '{person} left the group {name}',
  'client.user-allowed': '{person} let themselves use {client}',
  'client.user-disallowed': '{person} took themselves off the list of {client}',
  'client.contact-added': '{person} became a developer contact of {client}',
  'client.contact-removed': '{person} is no longer a developer contact of {client}',
};

/** Of those that their details make clearer: type, then what the details say. */
const closerSentences: Record<string, string> = {
  'own session.ended others': '{person} signed out of all other devices',
  'own session.ended everywhere': '{person} signed out everywhere',
  'own factor.added passkey': '{person} added a passkey',
  'own factor.added totp': '{person} added an authenticator app',
  'own factor.removed passkey': '{person} removed their passkey',
  'own factor.removed totp': '{person} removed their authenticator app',
  'own factor.renamed passkey': '{person} renamed their passkey',
  'own user.admin-changed false': '{person} gave up the admin role',
  'own user.role-changed none': '{person} gave up their role',
  'session.ended everywhere': '{who} signed {person} out everywhere',
  'user.admin-changed true': '{who} made {person} an admin',
  'user.admin-changed false': '{who} removed the admin role of {person}',
  'user.role-changed admin': '{who} made {person} an admin',
  'user.role-changed support': '{who} gave {person} the role Support',
  'user.role-changed auditor': '{who} gave {person} the role Auditor',
  'user.role-changed none': '{who} removed the role of {person}',
};

type Event = {
  type: string;
  actor: string | null;
  userId: string | null;
  detail: Record<string, unknown>;
};

/** The sentence of an event; its type where a later version wrote it. */
export function auditSentence({ type, actor, userId, detail }: Event): string {
  const isOwn = userId !== null && actor === userId;
  const closer = `${isOwn ? 'own ' : ''}${type} ${saidBy(detail)}`;
  const own = isOwn ? (ownSentences as Record<string, string>)[type] : undefined;
  return closerSentences[closer] ?? own ?? (sentences as Record<string, string>)[type] ?? type;
}

type Changed = { after?: unknown };

function saidBy({ everywhere, others, kind, admin, role }: Record<string, unknown>): string {
  if (everywhere === true) return 'everywhere';
  return others === true ? 'others' : String(kind ?? admin ?? (role as Changed | null)?.after);
}

/** What the pages of the audit log say. */
export const auditWords = {
  title: 'Audit log',
  lead: 'Everything that happened on this server, most recent first. Times are UTC.',
  list: 'Events',
  one: 'event',
  several: 'events',
  search: 'Search',
  type: 'Event',
  everything: 'All events',
  person: 'Person',
  client: 'App',
  actor: 'Actor',
  since: 'From',
  until: 'To',
  columnWhen: 'When',
  columnWhat: 'Event',
  columnWhere: 'IP address',
  details: 'Details',
  nothing: 'No events yet',
  nothingFound: 'No events match',
  nothingFoundText: 'Clear a filter, or try another time.',
  cli: 'The command line',
  system: 'The server',
  somebody: 'Someone',
  noPerson: 'an unknown person',
  noClient: 'an app',
  allClients: 'all apps',
  everybody: 'everyone',
  before: 'before',
  after: 'after',
  nothingThere: 'nothing',
  exportCsv: 'Export as CSV',
  exportJson: 'Export as JSON',
  exportText: 'All events that match the filters',
  kept: (days: number) =>
    days === 0 ? 'Events are kept forever.' : `Events are kept for ${days} days.`,
  areas: {
    'sign-in': 'Sign-ins',
    session: 'Ended sessions',
    consent: 'Approvals',
    code: 'Codes used twice',
    'refresh-token': 'Refresh tokens used twice',
    token: 'Revoked tokens',
    'client-auth': 'Failed app authentication',
    factor: 'Two-step sign-in',
    password: 'Passwords',
    email: 'Email addresses',
    user: 'People',
    invitation: 'Invitations',
    client: 'Apps',
    scope: 'Scopes',
    group: 'Groups',
    field: 'Fields of people',
    setting: 'Settings',
    branding: 'Branding',
    keys: 'Signing keys',
    audit: 'Exports',
    trace: 'Fixed attempts',
  },
} as const;
