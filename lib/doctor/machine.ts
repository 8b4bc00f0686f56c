import { existsSync, readFileSync, statSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { config } from '../config.ts';
import { examineBreached } from '../identity/breached.ts';
import {
  folderOfData,
  freeSpaces,
  littleSpace,
  megabyte,
  type Space,
} from '../management/alert/upkeep.ts';
import { ownSecretIn, settingsFileOf } from '../settings/data-folder.ts';
import { type Finding, fine, reasonOf, trouble, warning } from './finding.ts';

const mega = (bytes: number) => `${Math.round(bytes / megabyte).toLocaleString('en')} MB`;
/** Bytes. */
const noSpace = 50 * megabyte;
const littleMemory = 150 * megabyte;

/** Checks the files of this server, its disk space, and the memory. */
export async function examineMachine(): Promise<Finding[]> {
  return [
    ...examineModes(),
    ...(await examineSpace()),
    examineMemory(),
    ...(await examineBreachedPasswords()),
  ];
}

const fileOfDatabase = () => config().databaseUrl.slice('file:'.length);

type Kept = { file: string; forbidden: number };

/**
 * The existing files that hold secrets or personal data, each with the permissions that others must
 * not have. A group may read files provided by the operator, because Kubernetes gives a secret to a
 * group.
 */
function keptFiles(): Kept[] {
  const { database, dataDir, secretFiles } = config();
  const own = [
    ownSecretIn(dataDir),
    ...(database === 'sqlite' ? ['', '-wal', '-shm'].map((end) => fileOfDatabase() + end) : []),
    settingsFileOf(process.env, process.cwd()),
  ];
  const kept = [
    ...own.map((file) => ({ file, forbidden: 0o077 })),
    ...secretFiles.map((file) => ({ file, forbidden: 0o007 })),
  ];
  return kept.filter(({ file }) => existsSync(file));
}

function examineModes(): Finding[] {
  if (process.platform === 'win32') return [];
  const open = keptFiles().filter(({ file, forbidden }) => (statSync(file).mode & forbidden) !== 0);
  if (open.length === 0)
    return [fine('file-modes', 'Only their owner can read the secret and the database.')];
  return open.map(({ file }) => {
    const mode = (statSync(file).mode & 0o777).toString(8);
    const says = `Others on this machine can use ${file} (mode ${mode}).`;
    return trouble('file-modes', says, `chmod go= ${file}`);
  });
}

async function examineSpace(): Promise<Finding[]> {
  try {
    return (await freeSpaces()).map(roomIn);
  } catch (error) {
    const says = `The free disk space cannot be determined: ${reasonOf(error)}.`;
    const fix = `Give this user access to ${folderOfData()}.`;
    return [trouble('disk', says, fix)];
  }
}

function roomIn({ what, folder, free }: Space): Finding {
  const says = `${mega(free)} are free for ${folder}.`;
  const fix =
    what === 'data'
      ? 'Make room: a server that cannot write issues no tokens.'
      : 'Make room, or keep fewer backups (BACKUP_KEEP): without space no backup can be made.';
  if (free < noSpace) return trouble('disk', says, fix);
  return free < littleSpace ? warning('disk', says, fix) : fine('disk', says);
}

async function examineBreachedPasswords(): Promise<Finding[]> {
  const file = config().breachedPasswords;
  if (file === null) return [];
  try {
    const { about } = await examineBreached(file);
    const says = `About ${about.toLocaleString('en')} passwords known from breaches are refused: ${file}.`;
    return [fine('breached-passwords', says)];
  } catch (error) {
    const says = `The file of breached passwords cannot be used, and none is refused: ${file}. ${reasonOf(error)}`;
    const fix = 'Download it again: lines of "SHA-1:COUNT", in the order of the hashes.';
    return [trouble('breached-passwords', says, fix)];
  }
}

function examineMemory(): Finding {
  const limit = process.constrainedMemory();
  const isLimited = limit > 0 && limit < totalmem();
  const left = isLimited ? leftWithin(process.availableMemory(), statOfGroup()) : freemem();
  const all = isLimited ? limit : totalmem();
  return judgeMemory(Math.min(left, freemem(), all), all);
}

/** @param all the memory of the machine, or the limit of its container */
export function judgeMemory(free: number, all: number): Finding {
  const says = `${mega(free)} of ${mega(all)} of memory are free.`;
  return free < littleMemory
    ? warning(
        'memory',
        says,
        'Give the machine or its container more memory: a process under load takes several hundred MB.',
      )
    : fine('memory', says);
}

/**
 * The memory that a container has left. Cached files count as used there, but give way when memory
 * is needed.
 * @param unused bytes that are not used for anything
 * @param stat the kernel's memory statistics of the container, line by line
 */
export function leftWithin(unused: number, stat: string): number {
  const files = [...stat.matchAll(/^(?:in)?active_file (\d+)$/gm)];
  return files.reduce((sum, [, bytes]) => sum + Number(bytes), unused);
}

/**
 * The kernel's memory statistics of this process's group: as seen from inside a container, or of a
 * systemd unit.
 */
function statOfGroup(): string {
  const group = /^0::(.*)$/m.exec(textOf('/proc/self/cgroup'))?.[1] ?? '';
  return textOf(`/sys/fs/cgroup${group}/memory.stat`) || textOf('/sys/fs/cgroup/memory.stat');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
