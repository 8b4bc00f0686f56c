// Starts a package where only the package and this file can be reached, sends it requests as people
// and programs do, and prints the results. It is plain JavaScript for the package's Node.js.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const [gatehouse = '', healthCheck = '[]'] = process.argv.slice(2);
const began = performance.now();
const server = spawn(gatehouse, ['start'], { stdio: ['ignore', 'pipe', 'inherit'] });
let printed = '';
const address = await new Promise((resolve, reject) => {
  server.once('close', () => reject(new Error(printed)));
  server.stdout.on('data', (chunk) => {
    printed += chunk;
    const found = /is ready at (http:\/\/localhost:\d+)/.exec(printed)?.[1];
    if (found) resolve(found);
  });
});
const ready = performance.now() - began;
const ticks = () => {
  const cells = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(cells[11]) + Number(cells[12])) * 10;
};
const cpu = { start: ticks(), firstPage: 0 };
const asked = performance.now();
const statuses = {};
let firstPage = 0;
for (const path of [
  '/login',
  '/docs',
  '/docs/recipes',
  '/gatehouse.css',
  '/oauth/jwks',
  '/readyz',
  '/.well-known/openid-configuration',
]) {
  const answer = await fetch(address + path, { headers: { accept: 'text/html' } });
  await answer.text();
  statuses[path] = answer.status;
  if (firstPage === 0) {
    firstPage = performance.now() - asked;
    cpu.firstPage = ticks() - cpu.start;
  }
}
/** The exit code of an image's health check; null if there is none. */
const [check, ...checkArgs] = JSON.parse(healthCheck);
const health = check ? spawnSync(check, checkArgs, { stdio: 'inherit' }).status : null;
const command = (...args) =>
  execFileSync(gatehouse, args, { encoding: 'utf8', input: 'correct horse battery\n' });
const made = command(
  'cli',
  'user',
  'create',
  '--username',
  'ada',
  '--email',
  'ada@example.org',
  '--password',
  '-',
  '--json',
);
const people = command('user', 'list', '--json');
const recipes = command('recipe', 'list', '--json');
const version = command('cli', '--version').trim();
const help = command('--help');
const doctor = await new Promise((resolve) => {
  const child = spawn(gatehouse, ['doctor', '--json']);
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.on('close', (code) => resolve({ code, text }));
});
server.kill('SIGTERM');
const [code] = await once(server, 'close');
console.log(
  JSON.stringify({
    ready,
    firstPage,
    cpu,
    statuses,
    made,
    people,
    recipes,
    version,
    help,
    doctor,
    health,
    code,
    printed,
  }),
);
