import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plans } from './plans.ts';
import { endAll } from './processes.ts';
import { type Judged, newClient, person, startJudged } from './server.ts';
import { type Result, type Suite, startSuite } from './suite.ts';

/*
 * Runs a plan of the OpenID Foundation's conformance suite against this server, see README.md.
 */

const [wanted = '', part = ''] = process.argv.slice(2);
const plan = plans[wanted];
if (!plan) {
  console.log(`Plans: ${Object.keys(plans).join(', ')}`);
  process.exit(1);
}

const alias = 'gatehouse';
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-conformance-'));
console.log(`Logs: ${folder}`);

try {
  const judged = await startJudged(plan.server, folder);
  const suite = await startSuite(folder);
  const config = await configFor(suite, judged);
  const { id, modules } = await suite.createPlan(plan.name, plan.variant, config);
  const chosen = modules.filter(({ testModule }) => testModule.includes(part));
  const counts = new Map<string, number>();
  for (const module of chosen) {
    const result = await suite.run(id, module);
    const verdict = result.result ?? result.status;
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    report(module.testModule, verdict, result);
  }
  console.log([...counts].map(([verdict, count]) => `${verdict} ${count}`).join(', '));
  judged.remove();
} finally {
  await endAll();
}
process.exit(0);

async function configFor(suite: Suite, judged: Judged): Promise<object> {
  const callback = `${suite.origin}/test/a/${alias}/callback`;
  const second = `${callback}?dummy1=lorem&dummy2=ipsum`;
  const clients = plan?.registers
    ? { client: { client_name: 'Judge' } }
    : {
        client: await newClient(judged, 'judge-one', [callback, second]),
        client2: await newClient(judged, 'judge-two', [callback, second]),
      };
  const browser = (...how: Visit[]) => ({
    browser: how.map((visit) => ({
      match: `${judged.issuer}/oauth/authorize*`,
      ...(visit === 'looks' && { 'match-limit': 1 }),
      tasks: tasksFor(suite, judged, visit),
    })),
  });
  return {
    alias,
    description: `Gatehouse, ${wanted}`,
    server: { discoveryUrl: `${judged.issuer}/.well-known/openid-configuration` },
    resource: { resourceUrl: `${judged.issuer}/oauth/me`, resourceMethod: 'GET' },
    ...clients,
    ...browser('allows'),
    override: {
      'fapi2-security-profile-final-user-rejects-authentication': browser('cancels'),
      'fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds':
        browser('looks', 'allows'),
    },
  };
}

/** What somebody does who is sent to this server: go on, cancel, or look at the page and leave. */
type Visit = 'allows' | 'cancels' | 'looks';

/** What the suite's browser does on the pages of this server. */
function tasksFor(suite: Suite, { issuer }: Judged, visit: Visit): object[] {
  const signIn = {
    allows: [
      ['text', 'name', 'username', person.username, 'optional'],
      ['text', 'name', 'password', person.password],
      ['click', 'css', 'form[action="/login/submit"] button[type="submit"]:not([formaction])'],
    ],
    cancels: [['click', 'css', 'a[href^="/oauth/cancel"]']],
    looks: [['wait', 'name', 'password', 10]],
  }[visit];
  const seen = ['wait', 'xpath', '//main', 10, '.', 'update-image-placeholder-optional'];
  return [
    { task: 'Sign in', match: `${issuer}/login*`, optional: true, commands: signIn },
    {
      task: 'Allow',
      match: `${issuer}/consent*`,
      optional: true,
      commands: [['click', 'css', 'button[value="allow"]']],
    },
    { task: 'Refused', match: `${issuer}/oauth/authorize*`, optional: true, commands: [seen] },
    {
      task: 'Back',
      match: `${suite.origin}/test/*`,
      optional: true,
      commands: [['wait', 'id', 'submission_complete', 10]],
    },
  ];
}

function report(name: string, verdict: string, { id, status, log }: Result): void {
  console.log(`${verdict.padEnd(12)} ${name}${status === 'FINISHED' ? '' : ` (${status})`}`);
  writeFileSync(join(folder, `${name}-${id}.json`), JSON.stringify(log, null, 2));
  for (const { src, msg, result, requirements = [] } of log)
    if (['FAILURE', 'WARNING'].includes(result ?? ''))
      console.log(`    ${result} ${src}: ${msg?.split('\n', 1)[0]} ${requirements.join(' ')}`);
}
