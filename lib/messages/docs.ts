/** The chrome of the pages for developers of clients, in the language of their RFCs: English. */
export const docsWords = {
  title: 'For developers',
  lead: 'Where the endpoints of this server are, and what its errors mean.',
  addresses: 'Addresses',
  metadata: 'Metadata: point your OAuth library here',
  authorize: 'Authorization endpoint',
  token: 'Token endpoint',
  me: 'User information',
  errors: 'Errors',
  all: 'All errors and addresses',
  advice: 'What you can do',
  clause: 'Where it is defined',
} as const;
