import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Person } from '../support/person.ts';
import { allowAt } from './visit.ts';

/** How an AI app gets its client ID: it was given one, it has a document, or neither. */
export type Identity = { clientId?: string; document?: string; redirectUri: string };

/** An AI app made with the SDK. It keeps the results of its sign-in. */
export class McpApp implements OAuthClientProvider {
  sentTo: URL | undefined;
  information: StoredOAuthClientInformation | undefined;
  kept: StoredOAuthTokens | undefined;
  clientMetadataUrl?: string;
  readonly redirectUrl: string;
  #verifier = '';

  constructor({ clientId, document, redirectUri }: Identity) {
    this.redirectUrl = redirectUri;
    if (document) this.clientMetadataUrl = document;
    if (clientId) this.information = { client_id: clientId };
  }

  get clientMetadata() {
    return {
      client_name: 'An AI app',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    };
  }
  state() {
    return 'the state';
  }
  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: StoredOAuthClientInformation) {
    this.information = information;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }

  /**
   * Connects as real apps do: is refused, sends the person to sign in and allow, and comes back.
   */
  async connect(server: string, person: Person): Promise<Client> {
    const transport = new StreamableHTTPClientTransport(new URL(server), { authProvider: this });
    const refused = await new Client({ name: 'app', version: '1' })
      .connect(transport)
      .catch((e) => e);
    if (!(refused instanceof UnauthorizedError)) throw refused ?? new Error('It was not refused.');
    const back = await allowAt(person, this.sentTo ?? '');
    await transport.finishAuth(back.searchParams);
    return this.open(server);
  }

  /** Connects with the tokens that it has. */
  async open(server: string): Promise<Client> {
    const client = new Client({ name: 'app', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server), { authProvider: this }),
    );
    return client;
  }
}

/** What the only tool of the recipe's server returns. */
export async function readNotes(client: Client): Promise<string> {
  const { content } = await client.callTool({ name: 'read_notes' });
  return (content as { text: string }[]).map(({ text }) => text).join();
}
