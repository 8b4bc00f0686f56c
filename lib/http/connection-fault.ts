/** What Node.js appends to OpenSSL's words, for people who write programs for it. */
const forProgrammers = /;? ?if the root CA is installed locally, try running Node\.js with \S+/g;

/** What brings trust in a certificate of one's own authority, for every connection that we open. */
const ownAuthority =
  'If the certificate is of an authority of your own, name the file with that authority’s certificate in the environment variable NODE_EXTRA_CA_CERTS, and restart.';

/**
 * The words of a failed connection for operators, with what helps them where the certificate is the
 * reason.
 * @param said the message of the error
 */
export function connectionFault(said: string): string {
  const plain = said.replaceAll(forProgrammers, '');
  return plain === said ? said : `${plain}. ${ownAuthority}`;
}
