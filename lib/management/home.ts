import { type BackupState, backupState } from '../backup/schedule.ts';
import { config } from '../config.ts';
import type { PageRequest } from '../http/message.ts';
import { openedAt } from '../http/opened-at.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { type IssuerChange, readIssuerChange } from '../store/issuer-change.ts';
import { type Progress, readProgress } from '../store/progress.ts';

/** The configured public address, and the address that a request named. */
export type AddressState = {
  issuer: string;
  /** The origin, or the host, that the request named. */
  opened: string;
  is: 'right' | 'local' | 'other' | 'plain' | 'unseen';
};

export type MailState =
  | { is: 'off' }
  | { is: 'outbox' }
  | { is: 'on'; server: string; from: string; guessed: boolean };

/** What is left to do before the first sign-in works. */
export type Home = Progress & {
  address: AddressState;
  mail: MailState;
  hasFactor: boolean;
  backup: BackupState;
  issuerChange: IssuerChange | null;
};

/** Reads the state of the set-up for the admin who looks at it. */
export async function readHome(
  request: PageRequest,
  admin: { hasFactor: boolean },
  now: Date,
): Promise<Home> {
  return {
    ...(await readProgress()),
    address: addressState(request),
    mail: mailState(),
    hasFactor: admin.hasFactor,
    backup: await backupState(now),
    issuerChange: await readIssuerChange(),
  };
}

/** Compares `ISSUER` with the browser's address, as far as the request shows it. */
export function addressState(request: PageRequest): AddressState {
  const { issuer, port } = config();
  const { protocol, hostname } = new URL(issuer);
  const place = openedAt(request.header, port);
  const opened = typeof place === 'object' ? place.at : (request.header('host') ?? '');
  if (typeof place === 'object') return { issuer, opened, is: 'other' };
  if (isLoopbackHost(hostname)) return { issuer, opened, is: 'local' };
  if (protocol === 'http:') return { issuer, opened, is: 'plain' };
  return { issuer, opened, is: place === 'here' ? 'right' : 'unseen' };
}

export function mailState(): MailState {
  const { mail, production } = config();
  if (mail.url === null) return { is: production ? 'off' : 'outbox' };
  const { host } = new URL(mail.url);
  return { is: 'on', server: host, from: mail.from.address, guessed: mail.fromIsGuessed };
}
