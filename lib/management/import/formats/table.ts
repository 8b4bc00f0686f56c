import type { Reader } from './arrivals.ts';
import { readAuth0 } from './auth0.ts';
import { readAuthelia } from './authelia.ts';
import { readAuthentik } from './authentik.ts';
import { readCsv } from './csv.ts';
import { readFirebase } from './firebase.ts';
import { readJson } from './json.ts';
import { readKeycloak } from './keycloak.ts';
import { readLdif } from './ldif.ts';
import type { Format } from './names.ts';
import { readPocketId } from './pocket-id.ts';
import { readWordpress } from './wordpress.ts';

/** The reader for each program's file. */
export const readers: Record<Format, Reader> = {
  csv: readCsv,
  json: readJson,
  keycloak: readKeycloak,
  authentik: readAuthentik,
  authelia: readAuthelia,
  auth0: readAuth0,
  wordpress: readWordpress,
  'pocket-id': readPocketId,
  firebase: readFirebase,
  ldif: readLdif,
};
