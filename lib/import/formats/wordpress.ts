import { z } from 'zod';
import { isShutOut } from '../../identity/shut-out.ts';
import { sentence } from '../../messages/sentence.ts';
import { isGrantType } from '../../oauth/grant-types.ts';
import {
  type ArrivingClient,
  jsonIn,
  maybeText,
  type Reader,
  readSecret,
  shaped,
  texts,
  wholeName,
} from '../arrivals.ts';
import { keptAddresses } from './keycloak-addresses.ts';

const user = z.looseObject({
  user_login: maybeText,
  user_email: maybeText,
  display_name: maybeText,
  first_name: maybeText,
  last_name: maybeText,
  user_url: maybeText,
  user_pass: maybeText,
});

/** WP OAuth Server stores a client as a post of the type `wo_client`, with these fields. */
const client = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().nullish(),
  redirect_uri: maybeText,
  grant_types: texts.catch([]),
  post_title: maybeText,
  post_status: maybeText,
});

const entries = z.array(z.looseObject({}));

/** phpMyAdmin exports a table as one entry, between entries about itself. */
const phpMyAdmin = z.looseObject({ type: z.enum(['header', 'database', 'table']) });
const tableOfUsers = z.looseObject({ name: z.string().regex(/users$/), data: entries });

const rowsOf = (entry: object): object[] => {
  if (!phpMyAdmin.safeParse(entry).success) return [entry];
  return tableOfUsers.safeParse(entry).data?.data ?? [];
};

/**
 * The output of WP-CLI: `wp user list --format=json --fields=user_login,user_email,display_name,…`,
 * phpMyAdmin's export of the table of users, and the fields of clients of WP OAuth Server. Roles stay behind, because they only mean something
 * on that site.
 */
export const readWordpress: Reader = (text) => {
  const read = jsonIn(text, entries).flatMap(rowsOf);
  const isClient = (entry: object) => 'client_id' in entry;
  const people = read.filter((entry) => !isClient(entry));
  return {
    people: people.map((entry) => {
      const said = shaped(entry, user);
      const { first_name, last_name } = said;
      return {
        username: said.user_login,
        email: said.user_email,
        name: said.display_name ?? wholeName(first_name, last_name),
        hash: said.user_pass,
        disabled: isShutOut(said),
        claims: { given_name: first_name, family_name: last_name, website: said.user_url },
      };
    }),
    clients: read.filter(isClient).map((entry) => clientOf(shaped(entry, client))),
  };
};

function clientOf(said: z.output<typeof client>): ArrivingClient {
  const { secretHash, fault, notes } = readSecret(said.client_secret ?? undefined, said.client_id);
  const uris = said.redirect_uri ? [said.redirect_uri] : [];
  const kept = keptAddresses(uris, undefined);
  const had = said.grant_types;
  const grants = had.filter(isGrantType);
  const lost = had.filter((name) => !isGrantType(name));
  const isLost = uris.length > 0 && kept.uris.length === 0;
  return {
    id: said.client_id,
    settings: {
      name: (said.post_title ?? said.client_id).slice(0, 100),
      ...(grants.length > 0 && { grants }),
      redirectUris: kept.uris,
      claimShape: 'wp-oauth-server',
    },
    // Posts in the bin, or never published, did not work as clients there.
    disabled: said.post_status !== undefined && said.post_status !== 'publish',
    secretHash,
    fault: fault ?? (isLost ? sentence('refused.move.noRedirect') : undefined),
    notes: [
      ...notes,
      ...kept.notes,
      ...(uris.length === 0 ? [sentence('moved.unregistered')] : []),
      ...(lost.length > 0
        ? [sentence('moved.flows', { names: lost.join(', ').slice(0, 200) })]
        : []),
    ],
  };
}
