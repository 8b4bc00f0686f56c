import type { Reader } from './arrivals.ts';
import { readAuth0 } from './formats/auth0.ts';
import { readAuthelia } from './formats/authelia.ts';
import { readAuthentik } from './formats/authentik.ts';
import { readCsv } from './formats/csv.ts';
import { readFirebase } from './formats/firebase.ts';
import { readJson } from './formats/json.ts';
import { readKeycloak } from './formats/keycloak.ts';
import { readLdif } from './formats/ldif.ts';
import { readPocketId } from './formats/pocket-id.ts';
import { readWordpress } from './formats/wordpress.ts';
import type { Format } from './names.ts';

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
