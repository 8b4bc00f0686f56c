import { connect as connectPlainly } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { config } from '../config.ts';
import { isUsedOverLdap } from '../store/ldap-people.ts';
import { type Finding, fine, reasonOf, trouble, warning } from './finding.ts';

/** Milliseconds. */
const patience = 3000;
/** A certificate with fewer days left is worth a warning. */
const daysLeft = 14;

/** The LDAP server answers where the settings say, and its certificate is good for a while. */
export async function examineLdap(now: Date): Promise<Finding[]> {
  const { host, port, tlsPort } = config().ldap;
  const isUsed = await isUsedOverLdap();
  if (port === null && tlsPort === null)
    return isUsed
      ? [
          warning(
            'ldap',
            'Apps use the LDAP server, which listens nowhere.',
            'Set LDAPS_PORT or LDAP_PORT, or turn LDAP off in their settings.',
          ),
        ]
      : [];
  const at = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host;
  const found: Finding[] = [];
  if (port !== null) found.push(await judged(`ldap://${at}:${port}`, () => reach(at, port)));
  if (tlsPort !== null)
    found.push(await judged(`ldaps://${at}:${tlsPort}`, () => certificateAt(at, tlsPort, now)));
  return found;
}

/** @param look gives what is worth a warning; null: nothing */
async function judged(url: string, look: () => Promise<string | null>): Promise<Finding> {
  try {
    const says = await look();
    if (says === null) return fine('ldap', `${url} answers.`);
    return warning('ldap', `${url} answers, but ${says}`, 'Renew LDAP_CERTIFICATE.');
  } catch (error) {
    return trouble(
      'ldap',
      `${url} does not answer: ${reasonOf(error)}.`,
      'Start the server, and look at LDAP_HOST, LDAP_PORT and LDAPS_PORT.',
    );
  }
}

function reach(host: string, port: number): Promise<null> {
  return new Promise((resolve, reject) => {
    const socket = connectPlainly({ host, port, timeout: patience }, () => {
      socket.destroy();
      resolve(null);
    });
    socket.on('error', reject);
    socket.on('timeout', () => socket.destroy(new Error('it takes too long')));
  });
}

function certificateAt(host: string, port: number, now: Date): Promise<string | null> {
  return new Promise((resolve, reject) => {
    // Programs check it; here only its days are looked at.
    const socket = connectSecurely({ host, port, rejectUnauthorized: false }, () => {
      const end = new Date(socket.getPeerCertificate().valid_to);
      socket.destroy();
      const days = Math.floor((end.getTime() - now.getTime()) / (24 * 3600_000));
      resolve(days >= daysLeft ? null : `its certificate ends in ${days} days.`);
    });
    socket.setTimeout(patience, () => socket.destroy(new Error('it takes too long')));
    socket.on('error', reject);
  });
}
