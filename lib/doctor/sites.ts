import { checkSites } from '../management/client/site-check.ts';
import { guardedClients } from '../store/clients.ts';
import { type Finding, fine, said, trouble } from './finding.ts';

/** Sites that one run visits: each is three requests. */
const most = 20;

/** Every guarded site asks this server, and believes nothing that a browser forges. */
export async function examineSites(now: Date): Promise<Finding[]> {
  const clients = (await guardedClients(most)).filter(({ disabled }) => !disabled);
  const checked = await Promise.all(clients.map((client) => checkSites(client, now)));
  return checked.flat().map(({ site, findings }) => {
    const wrong = findings.filter((finding) => !finding.fine);
    if (wrong.length === 0)
      return fine('guarded-site', `${site} asks this server, and believes no forged header.`);
    const [{ check, received, expected } = { check: '', received: '', expected: '' }] = wrong;
    return trouble(
      'guarded-site',
      `${site}, ${check}: ${said(received)} instead of ${said(expected)}.`,
      'Paste the text for its proxy from the Connect page of the app, or from docs/guard.',
    );
  });
}
