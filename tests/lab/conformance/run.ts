import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserFor } from './browser.ts';
import { type Plan, plans } from './plans.ts';
import { endAll } from './processes.ts';
import { type Tally, tableOf, tallyOf, tell } from './report.ts';
import { startResource } from './resource.ts';
import { clientsFor, type Judged, person, startJudged } from './server.ts';
import { type Suite, startSuite } from './suite.ts';

/* Runs plans of the OpenID Foundation's conformance suite against this server; see README.md. */

const [wanted = '', part = ''] = process.argv.slice(2);
const names = wanted === 'all' ? Object.keys(plans) : wanted.split(',');
const chosen = Object.entries(plans).filter(([name]) => names.includes(name));
if (chosen.length === 0) {
  console.log(`Plans: all, ${Object.keys(plans).join(', ')}`);
  process.exit(1);
}

/**
 * Metadata from draft-ietf-oauth-identity-assertion-authz-grant and
 * draft-ietf-oauth-identity-chaining, which the suite does not know.
 */
const ofDrafts = [
  'authorization_grant_profiles_supported',
  'identity_chaining_requested_token_types_supported',
];

const alias = 'gatehouse';
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-conformance-'));
console.log(`Logs: ${folder}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => endAll().finally(() => process.exit(1)));

const tallies: Tally[] = [];
try {
  const suite = await startSuite(folder);
  for (const [name, plan] of chosen) tallies.push(await run(suite, name, plan));
  console.log(`\n${tableOf(tallies)}`);
} finally {
  await endAll();
}
process.exit(tallies.some(({ unexplained }) => unexplained.length > 0) ? 1 : 0);

async function run(suite: Suite, name: string, plan: Plan): Promise<Tally> {
  console.log(`\n${name}`);
  const logs = join(folder, name);
  mkdirSync(logs);
  const judged = await startJudged(plan.server, logs);
  const tally = tallyOf(name, plan);
  try {
    const config = await configFor(suite, name, plan, judged);
    const { id, modules } = await suite.createPlan(plan.name, plan.variant, config);
    const wantedModules = modules.filter(({ testModule }) => testModule.includes(part));
    for (const [index, module] of wantedModules.entries()) {
      // One person can let in only 20 new apps per quarter of an hour.
      if (plan.clients === 'registered' && index % 15 === 14) await judged.replacePerson();
      const result = await suite.run(id, module, judged.rotateKeys);
      tell(tally, module.testModule, result, logs);
    }
    return tally;
  } finally {
    await judged.stop();
  }
}

async function configFor(suite: Suite, name: string, plan: Plan, judged: Judged): Promise<object> {
  const { issuer } = judged;
  return {
    alias,
    description: `Gatehouse, ${name}`,
    server: {
      discoveryUrl: `${issuer}/.well-known/openid-configuration`,
      allow_unexpected_metadata_fields: ofDrafts,
    },
    resource: { resourceUrl: await resourceFor(plan, judged), resourceMethod: 'GET' },
    ...(await clientsFor(plan, judged, `${suite.origin}/test/a/${alias}`)),
    ...browserFor({ issuer, suite: suite.origin, person }),
  };
}

/**
 * The address where a token is used: user information, or the API for clients that act for
 * themselves.
 */
async function resourceFor({ variant }: Plan, judged: Judged): Promise<string> {
  return variant.fapi_profile === 'fapi_client_credentials_grant'
    ? startResource(judged)
    : `${judged.issuer}/oauth/me`;
}
