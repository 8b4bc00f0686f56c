import { exchangeGrant, jwtBearerGrant } from '../../oauth/grant-types.ts';
import type { ConfigurationFiles } from '../instance.ts';
import type { Party } from './party.ts';
import type { World } from './world.ts';

/**
 * Seconds that a token of the railway is valid: this long, actions can go on there after home has
 * stopped them.
 */
export const ticketLife = 120;

/** The values used in both configuration files. */
type Named = {
  world: World;
  redirectUri: string;
  /** The agent, as registered at home and at the railway. */
  agent: Party;
  agentThere: Party;
  /** The secret with which the railway, as a client of home, signs people in. */
  secret: string;
};

/** The configuration by the admin of home. */
export function homeFile({
  world,
  redirectUri,
  agent,
  agentThere,
  secret,
}: Named): ConfigurationFiles {
  const { railway, scheduler, calendar } = world;
  return {
    'railway-secret.txt': secret,
    'gatehouse.yaml': `
branding: {name: Home}
apps:
  ${agent.id}:
    name: ${agent.name}
    description: Plans your journeys and books them
    agent: on
    owner: ada
    redirect_uris: [${redirectUri}]
    grants: [authorization_code, refresh_token, '${exchangeGrant}']
    jwks: '${agent.jwks}'
    identity_for: {'${railway.issuer}': ${agentThere.id}}
  ${scheduler.party.id}:
    name: ${scheduler.party.name}
    description: Finds days on which you have time
    agent: on
    owner: grace.hopper
    grants: [client_credentials, '${exchangeGrant}']
    jwks: '${scheduler.party.jwks}'
    exchange_for: ['${calendar.identifier}']
  ${calendar.party.id}:
    name: ${calendar.party.name}
    grants: [client_credentials]
    jwks: '${calendar.party.jwks}'
  railway:
    name: ${railway.name}
    redirect_uris: [${railway.issuer}/login/with/home/callback]
    secret: {file: railway-secret.txt}
    first_party: on
apis:
  '${scheduler.identifier}':
    name: ${scheduler.party.name}
    scopes: {plan: {description: Find days on which you have time}}
    served_by: [${scheduler.party.id}]
  '${calendar.identifier}':
    name: ${calendar.party.name}
    scopes: {'calendar:read': {description: Read your calendar}}
    served_by: [${calendar.party.id}]
`,
  };
}

/** The configuration by the admin of the railway. */
export function railwayFile({ world, agentThere, secret }: Named): ConfigurationFiles {
  const { home, tickets } = world;
  return {
    'home-secret.txt': secret,
    'gatehouse.yaml': `
branding: {name: ${world.railway.name}}
providers:
  home:
    kind: openid
    name: ${home.name}
    issuer: ${home.issuer}
    client_id: railway
    secret: {file: home-secret.txt}
    may_register: on
    accepts_assertions: on
apps:
  ${agentThere.id}:
    name: ${agentThere.name}
    description: The travel agent of ${home.name}
    agent: on
    owner: conductor
    grants: ['${jwtBearerGrant}']
    jwks: '${agentThere.jwks}'
  ${tickets.party.id}:
    name: ${tickets.party.name}
    grants: [client_credentials]
    jwks: '${tickets.party.jwks}'
apis:
  '${tickets.identifier}':
    name: ${tickets.party.name}
    scopes: {'tickets:book': {description: Book tickets for you}}
    access_token_ttl: ${ticketLife}
    served_by: [${tickets.party.id}]
`,
  };
}
