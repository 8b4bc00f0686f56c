import { ConfigError, config } from '../config.ts';
import { EnvFileError } from '../settings/env-file.ts';
import { isDatabaseAway } from '../store/engine/away.ts';
import { SetupError } from '../tooling/child.mjs';
import { FolderError } from '../tooling/folder.ts';
import { MigrationError } from '../tooling/migrate.ts';
import { wrongSetting } from './exit-codes.ts';
import { NotBuilt } from './pages.ts';
import { portTaken } from './port-holder.ts';
import { FailsToAnswer } from './warm-up.ts';

/** What the operator needs to know and do if the start fails; null for unforeseen errors. */
export async function startFailure(error: unknown): Promise<string | null> {
  if (
    error instanceof ConfigError ||
    error instanceof EnvFileError ||
    error instanceof MigrationError ||
    error instanceof SetupError ||
    error instanceof FailsToAnswer
  )
    return error.message;
  if (error instanceof FolderError) return `${error.message}.`;
  const { code = '', syscall, path, message } = error as NodeJS.ErrnoException;
  // In a worker, for which the primary listens, the system call is `bind`.
  if (/^(listen|bind|getaddrinfo)$/.test(syscall ?? ''))
    return listenFailure(code, error as { port?: number });
  if (/^SQLITE_(READONLY|CANTOPEN|IOERR|FULL|CORRUPT|NOTADB|PERM|AUTH)/.test(code))
    return `The database in DATABASE_URL cannot be used: ${message}. Give the user that runs this server write access to the file and its folder, and check the free disk space.`;
  if (/^(EACCES|EPERM|EROFS|ENOSPC|ENOTDIR|EISDIR|EEXIST)$/.test(code) && path)
    return `${path} cannot be used (${code}). Give the user that runs this server access to it, and check the free disk space.`;
  if (error instanceof NotBuilt)
    return 'The screens have not been built. Run "npm run build", or "npm start", which does it.';
  if (isDatabaseAway(error)) return `${message}.`;
  return null;
}

/** The exit code for a start that failed: a wrong setting stays wrong until somebody corrects it. */
export const exitCodeOf = (error: unknown): number =>
  error instanceof ConfigError || error instanceof EnvFileError ? wrongSetting : 1;

async function listenFailure(code: string, at: { port?: number }): Promise<string> {
  const { host, port, ldap } = config();
  if (at.port !== undefined && (at.port === ldap.port || at.port === ldap.tlsPort))
    return `The LDAP server cannot listen at ${ldap.host}:${at.port} (${code}). Set LDAP_PORT, LDAPS_PORT and LDAP_HOST to what is free on this machine; ports below 1024 are for privileged programs.`;
  if (code === 'EADDRINUSE') return portTaken(port, host);
  const reasons: Record<string, string> = {
    EACCES: `Port ${port} is for privileged programs. Set PORT to 1024 or more, such as PORT=3000, and put a proxy in front.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one of its own, such as HOST=127.0.0.1 or HOST=0.0.0.0.`,
    ENOTFOUND: `HOST is "${host}", a name that cannot be resolved. Set it to an address of this machine, such as HOST=127.0.0.1 or HOST=0.0.0.0.`,
  };
  return reasons[code] ?? `The server cannot listen at ${host}:${port} (${code}).`;
}
