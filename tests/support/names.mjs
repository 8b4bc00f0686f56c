import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded into a test server before anything else: names under `.test` resolve to the addresses in a
 * file, which is read at each lookup. A list of lists gives one list per lookup, in order, like a
 * DNS server whose answers change.
 */
const file = process.env.TEST_NAMES;
const { lookup } = dns;
const asked = new Map();

dns.lookup = (host, options, done) => {
  if (!file || !host.endsWith('.test')) return lookup(host, options, done);
  const said = JSON.parse(readFileSync(file, 'utf8'))[host];
  if (!said) return done(Object.assign(new Error(`no such name: ${host}`), { code: 'ENOTFOUND' }));
  const times = asked.get(host) ?? 0;
  asked.set(host, times + 1);
  const now = Array.isArray(said[0]) ? said[Math.min(times, said.length - 1)] : said;
  const found = now.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return options.all ? done(null, found) : done(null, found[0].address, found[0].family);
};
syncBuiltinESMExports();
