import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

// An app with msal-node, as its documentation sets it up for a provider that is not Microsoft's. It
// talks to the test as `converse` says.
type Account = { homeAccountId: string };
type Result = { account: Account; accessToken: string; idTokenClaims: { sub: string } };
type App = {
  getAuthCodeUrl: (request: object) => Promise<string>;
  acquireTokenByCode: (request: object, answer?: object) => Promise<Result>;
  acquireTokenSilent: (request: object) => Promise<Result>;
  getTokenCache: () => {
    getAllAccounts: () => Promise<Account[]>;
    removeAccount: (account: Account) => Promise<void>;
  };
};
type Library = {
  ConfidentialClientApplication: new (config: object) => App;
  CryptoProvider: new () => {
    generatePkceCodes: () => Promise<{ verifier: string; challenge: string }>;
  };
};

const { FOLDER = '', ISSUER = '', CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env;
const { ConfidentialClientApplication, CryptoProvider }: Library = createRequire(FOLDER)(FOLDER);
const app = new ConfidentialClientApplication({
  auth: {
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    authority: ISSUER,
    knownAuthorities: [new URL(ISSUER).host],
  },
  system: { protocolMode: 'OIDC' },
});
const request = {
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  redirectUri: REDIRECT_URI,
  state: 'the state',
};

const { verifier, challenge } = await new CryptoProvider().generatePkceCodes();
const asked = { ...request, codeChallenge: challenge, codeChallengeMethod: 'S256' };
console.info(await app.getAuthCodeUrl({ ...asked, responseMode: 'query' }));
const { value } = await createInterface(process.stdin)[Symbol.asyncIterator]().next();
const answer = Object.fromEntries(new URL(value ?? '').searchParams);
console.info(JSON.stringify(answer.error ? answer : await signIn()));

async function signIn() {
  const redeemed = { ...request, code: answer.code, codeVerifier: verifier };
  const first = await app.acquireTokenByCode(redeemed, answer);
  const tokens = [first.accessToken];
  for (let times = 0; times < 2; times += 1) {
    const again = { scopes: request.scopes, account: first.account, forceRefresh: true };
    tokens.push((await app.acquireTokenSilent(again)).accessToken);
  }
  const cache = app.getTokenCache();
  await cache.removeAccount(first.account);
  const accounts = (await cache.getAllAccounts()).length;
  return { sub: first.idTokenClaims.sub, tokens, accounts };
}
