import { createCipheriv, scryptSync } from 'node:crypto';
import { bytesIn, bytesInHex, type Family, type Hash, numberWithin, same } from './hash.ts';

type Cost = { N: number; r: number; p: number };

/** The most that a check may use: 256 MiB of memory, and twice that read in all. */
const mostMemory = 256 * 1024 * 1024;
const mostRead = 2 * mostMemory;

/** scrypt as written by passlib and Authelia, Django, Werkzeug and Firebase. */
export const scryptFamily: Family = {
  name: 'scrypt',
  read: (text) => readPlain(text) ?? readFirebase(text),

  spend(kind, _, password) {
    const [N, r, p] = kind.split(':').slice(1);
    const cost = costOf(N, r, p);
    if (cost) derive(password, Buffer.alloc(16), cost, 64);
  },
};

function readPlain(text: string): Hash | null {
  const said = inPasslib(text) ?? inDjango(text) ?? inWerkzeug(text);
  if (!said?.cost || !said.salt || !said.key) return null;
  const { cost, salt, key } = said;
  return {
    work: workOf(cost),
    matches: (password) => same(derive(password, salt, cost, key.length), key),
  };
}

function inPasslib(text: string) {
  const found = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]*)\$([^$]+)$/.exec(text);
  if (!found) return null;
  const [, ln, r, p, salt, key] = found;
  return {
    cost: costOf(powerOfTwo(ln), r, p),
    salt: bytesIn(salt, 0, 128),
    key: bytesIn(key, 16, 64),
  };
}

function inDjango(text: string) {
  const found = /^scrypt\$(\d+)\$([^$]{1,128})\$(\d+)\$(\d+)\$([^$]+)$/.exec(text);
  if (!found) return null;
  const [, N, salt = '', r, p, key] = found;
  return { cost: costOf(N, r, p), salt: Buffer.from(salt), key: bytesIn(key, 16, 64) };
}

function inWerkzeug(text: string) {
  const found = /^scrypt:(\d+):(\d+):(\d+)\$([^$]{1,128})\$([^$]+)$/.exec(text);
  if (!found) return null;
  const [, N, r, p, salt = '', key] = found;
  return { cost: costOf(N, r, p), salt: Buffer.from(salt), key: bytesInHex(key, 16, 64) };
}

const firebaseForm = /^\$firescrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)\$([^$]+)\$([^$]+)$/;

/** Firebase encrypts its signer key with a key derived from the password. */
function readFirebase(text: string): Hash | null {
  const [, ln, r, p, salt64, sealed64, separator64, signer64] = firebaseForm.exec(text) ?? [];
  const cost = costOf(powerOfTwo(ln), r, p);
  const [salt, separator] = [bytesIn(salt64, 1, 64), bytesIn(separator64, 1, 16)];
  const [sealed, signer] = [bytesIn(sealed64, 16, 128), bytesIn(signer64, 16, 128)];
  if (!cost || !salt || !separator || !sealed || !signer) return null;
  return {
    work: workOf(cost),
    matches(password) {
      const key = derive(password, Buffer.concat([salt, separator]), cost, 64).subarray(0, 32);
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
      return same(Buffer.concat([cipher.update(signer), cipher.final()]), sealed);
    },
  };
}

const powerOfTwo = (ln: string | undefined) => String(2 ** (numberWithin(ln, 1, 24) ?? 0));

const workOf = ({ N, r, p }: Cost) => ({ kind: `scrypt:${N}:${r}:${p}`, amount: 1 });

function costOf(N?: string, r?: string, p?: string): Cost | null {
  const cost = {
    N: numberWithin(N, 2, 2 ** 24),
    r: numberWithin(r, 1, 64),
    p: numberWithin(p, 1, 16),
  };
  if (cost.N === null || cost.r === null || cost.p === null || !Number.isInteger(Math.log2(cost.N)))
    return null;
  const memory = 128 * cost.N * cost.r;
  return memory <= mostMemory && memory * cost.p <= mostRead ? (cost as Cost) : null;
}

const derive = (password: string, salt: Buffer, cost: Cost, length: number): Buffer =>
  scryptSync(password, salt, length, { ...cost, maxmem: mostMemory + 1024 * 1024 });
