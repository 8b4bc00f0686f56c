import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import { listening, putTlsBefore, start } from './processes.ts';

/** The running suite, and what it can be asked to do. */
export type Suite = {
  origin: string;
  createPlan: (
    name: string,
    variant: object,
    config: object,
  ) => Promise<{ id: string; modules: Module[] }>;
  /** @param prepare is awaited if a module needs something done before it starts */
  run: (plan: string, module: Module, prepare: () => Promise<unknown>) => Promise<Result>;
};
type Module = { testModule: string; variant?: object };
export type Result = {
  id: string;
  status: string;
  result: string | null;
  log: readonly Entry[];
};
export type Entry = {
  src?: string;
  msg?: string;
  result?: string;
  requirements?: string[];
  /** A page that a person has to look at. */
  page_source?: string;
};

/** Starts the suite with an in-memory database, behind TLS. @param folder where its logs go */
export async function startSuite(folder: string): Promise<Suite> {
  const { SUITE_JAR: jar, SUITE_JAVA: java = 'java', MONGO_URI } = process.env;
  if (!jar)
    throw new Error('SUITE_JAR names no suite. tests/lab/conformance/README.md says what it is.');
  const mongo = MONGO_URI ?? (await startMongo(java, folder));
  const inner = await freePort();
  const outer = await freePort();
  const origin = await putTlsBefore(inner, outer);
  const options = {
    'spring.profiles.active': 'dev',
    'server.port': inner,
    'spring.mongodb.uri': mongo,
    // This option's name in releases before 5.2.
    'spring.data.mongodb.uri': mongo,
    'fintechlabs.base_url': origin,
    'fintechlabs.base_mtls_url': origin,
    'openid.mongodb.targetFeatureCompatibilityVersion': '',
  };
  const child = start(
    java,
    [
      '-Xmx2g',
      '-jar',
      jar,
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    ],
    process.env,
    join(folder, 'suite.log'),
  );
  await listening(inner, child, 300);
  const api = `http://127.0.0.1:${inner}/api`;
  return { origin, createPlan: createPlanAt(api), run: runAt(api) };
}

async function startMongo(java: string, folder: string): Promise<string> {
  const { MONGO_CLASSPATH: classpath } = process.env;
  if (!classpath) throw new Error('Neither MONGO_URI nor MONGO_CLASSPATH says where a MongoDB is.');
  const port = await freePort();
  const program = join(import.meta.dirname, 'Mongo.java');
  const args = ['-cp', classpath, program, String(port)];
  await listening(port, start(java, args, process.env, join(folder, 'mongo.log')), 60);
  return `mongodb://127.0.0.1:${port}/test_suite`;
}

const asHeaders = { 'Content-Type': 'application/json', 'X-Forwarded-Proto': 'https' };

async function ask<T>(method: 'GET' | 'POST', url: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: asHeaders,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}

const createPlanAt =
  (api: string): Suite['createPlan'] =>
  (name, variant, config) => {
    const query = new URLSearchParams({ planName: name, variant: JSON.stringify(variant) });
    return ask('POST', `${api}/plan?${query}`, config);
  };

const over = ['FINISHED', 'INTERRUPTED'];
/** The maximum number of seconds for one module. Some wait for things to expire. */
const patience = 150;

const runAt =
  (api: string): Suite['run'] =>
  async (plan, { testModule, variant }, prepare) => {
    const query = new URLSearchParams({
      test: testModule,
      plan,
      ...(variant && { variant: JSON.stringify(variant) }),
    });
    const { id } = await ask<{ id: string }>('POST', `${api}/runner?${query}`);
    let status = 'CREATED';
    let result: string | null = null;
    for (let waited = 0; waited < patience && !over.includes(status); waited += 1) {
      if (status === 'CONFIGURED') {
        await prepare();
        await ask('POST', `${api}/runner/${id}`).catch(() => null);
      }
      await setTimeout(1000);
      ({ status, result } = await ask<{ status: string; result: string | null }>(
        'GET',
        `${api}/info/${id}`,
      ));
    }
    return { id, status, result, log: await ask('GET', `${api}/log/${id}`) };
  };
