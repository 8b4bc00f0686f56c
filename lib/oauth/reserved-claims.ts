/**
 * Claims that already have a meaning. Custom claims, whether they are fields of people or constants
 * of an app, may not have these names, because apps would take them for something else.
 */
const standard = `
  sub name given_name family_name middle_name nickname preferred_username profile picture website
  email email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address
  updated_at`;

/** The members of tokens, ID tokens and introspection responses. */
const protocol = `
  iss aud exp nbf iat jti azp nonce auth_time at_hash c_hash s_hash acr amr sid active scope
  client_id client_name token_type access_token refresh_token id_token expires_in cnf act may_act
  events toe txn sub_id authorization_details token_introspection _claim_names _claim_sources`;

/** The rest of the IANA registry "JSON Web Token Claims". */
const registered = `
  sub_jwk sip_from_tag sip_date sip_callid sip_cseq_num sip_via_branch orig dest mky rph vot vtm
  attest origid jcard at_use_nbr div opt vc vp sph ace_profile cnonce exi eat_nonce ueid sueids
  oemid hwmodel hwversion oemboot dbgstat location eat_profile submods uptime bootcount bootseed
  dloas swname swversion manifests measurements measres intuse cdniv cdnicrit cdniip cdniuc cdniets
  cdnistt cdnistd sig_val_claims verified_claims place_of_birth nationalities birth_family_name
  birth_given_name birth_middle_name salutation title msisdn also_known_as htm htu ath atc rcd rcdi
  crn msgi rdap_allowed_purposes rdap_dnt_allowed geohash _sd ... _sd_alg sd_hash consumerPlmnId
  consumerSnpnId producerPlmnId producerSnpnId producerSnssaiList producerNsiList producerNfSetId
  producerNfServiceSetId sourceNfInstanceId analyticsIdList resOwnerId cmw jwks metadata constraints
  crit ref delegation logo_uri authority_hints trust_anchor_hints trust_marks trust_mark_issuers
  trust_mark_owners metadata_policy metadata_policy_crit source_endpoint keys trust_mark_type
  trust_chain trust_anchor status status_list ttl stpl vct vct#integrity`;

/** Other members of our responses, including errors and those in the shape of WP OAuth Server. */
const ours = `
  username ID user_login user_email display_name user_nicename user_registered user_status
  error error_description error_uri __proto__`;

/**
 * The registered claims that are meant for groups (RFC 9068 section 2.2.3.1, RFC 7643 section
 * 4.1.2). An app can be told a person's groups in one of them.
 */
export const groupClaims: readonly string[] = ['groups', 'roles', 'entitlements'];

const namesIn = (text: string) => text.trim().split(/\s+/);
const taken = new Set(
  [...[standard, protocol, registered, ours].flatMap(namesIn), ...groupClaims].map((name) =>
    name.toLowerCase(),
  ),
);

/** Whether a claim with this name already has a meaning. Some libraries ignore the case. */
export function isReservedClaim(name: string): boolean {
  return taken.has(name.toLowerCase());
}

/**
 * 1 to 100 visible ASCII characters without `=`, at least one of them a letter or digit: the name
 * is written into code, configuration and addresses, where `..` means something else.
 */
export const claimName = /^(?=[\x21-\x7e]*[A-Za-z0-9])[\x21-\x3c\x3e-\x7e]{1,100}$/;
