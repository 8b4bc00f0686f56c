import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { sign } from '#lib/identity/signing.ts';
import { type ApiRecord, createApi } from '#lib/management/api/apis.ts';
import { acrNames } from '#lib/oauth/acr.ts';
import { type Api, tokenFormats, usesJwts } from '#lib/oauth/api.ts';
import { jwtTypeFor } from '#lib/oauth/jwt-access-token.ts';
import { checkersOf } from '#lib/recipes/api/checkers.ts';
import { wwwAuthenticateOf } from '#lib/recipes/api/published.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { actor, unique } from '../management/people.ts';
import { credentials, post } from '../support/app.ts';
import { newDpopKey, proofOf } from '../support/dpop.ts';
import { openServer } from '../support/open-server.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { pythonWith } from './python.ts';
import { newFolder, write } from './recipe-app.ts';
import { startSpring, withSpring } from './spring.ts';

// The code on an API's page, exactly as people paste it, checks tokens of this server.
const gatehouse = await openServer();
const python = await pythonWith(['PyJWT[crypto]==2.15.1']);
const goOidc = ['list', '-m', 'github.com/coreos/go-oidc/v3@v3.21.0'];
const hasGo = spawnSync('go', goOidc, { cwd: tmpdir() }).status === 0;
if (!hasGo) missing('Go and its modules', 'apt-get install golang-go');

const client = await newClient({ grants: ['client_credentials'] });

const newApi = (tokenFormat: Api['tokenFormat'], server: TestClient) => {
  const scopes = ['read', 'write'].map((name) => ({ name: unique(name), description: 'Do it' }));
  const identifier = `https://${unique('api')}.example/mcp`;
  const input = { identifier, name: 'API', tokenFormat, scopes, servedBy: [server.id] };
  return createApi(input, actor, new Date());
};

/** A token that the client gets for itself, for an API. */
async function tokenFor(
  api: ApiRecord | null,
  scope = api?.scopes[0]?.name,
  headers: Record<string, string> = {},
): Promise<string> {
  const asked = { ...(api && { resource: api.identifier }), ...(scope && { scope }) };
  const grant = { ...credentials(client), grant_type: 'client_credentials', ...asked };
  const { status, body } = await post(gatehouse, '/oauth/token', grant, headers);
  expect(status, JSON.stringify(body)).toBe(200);
  return String(body.access_token);
}

/** A token that is bound to a key. */
async function boundFor(api: ApiRecord): Promise<string> {
  const DPoP = await proofOf(await newDpopKey(), { url: `${gatehouse.issuer}/oauth/token` });
  return tokenFor(api, undefined, { DPoP });
}

/** `acr`: the request needs a sign-in of that strength within the last five minutes. */
type Case = readonly [authorization: string | null, scope: string, acr?: string];
type Result = readonly [status: number, client: string | null, challenge: string | null];

type Language = 'typescript' | 'python' | 'go' | 'java';

const drivers: Record<Language, [file: string, text: string]> = {
  java: [
    'Driver.java',
    `import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;
import org.springframework.web.bind.annotation.*;

@RestController
class Driver {
  @GetMapping("/")
  Object open(AbstractOAuth2TokenAuthenticationToken<?> caller) { return caller.getTokenAttributes().get("client_id"); }

  @GetMapping("/{scope}")
  @PreAuthorize("hasAuthority('SCOPE_' + #scope)")
  Object scoped(@PathVariable String scope, AbstractOAuth2TokenAuthenticationToken<?> caller) { return open(caller); }

  @GetMapping("/strong/{acr}")
  Object strong(@PathVariable String acr, AbstractOAuth2TokenAuthenticationToken<?> caller) {
    ApiSecurity.stepUp(caller, acr, java.time.Duration.ofMinutes(5));
    return open(caller);
  }
}
`,
  ],
  typescript: [
    'driver.ts',
    `import { check, stepUp } from './check-token.ts';
const answers = [];
for (const [authorization, scope, acr] of JSON.parse(process.argv[2] ?? '')) {
  const checked = await check(authorization ?? undefined, scope);
  const weak = checked.status === 200 && acr ? stepUp(checked.claims, acr, 300) : null;
  answers.push(weak ? [401, null, weak] : checked.status === 200 ? [200, checked.claims.client_id, null] : [checked.status, null, checked.challenge]);
}
console.log(JSON.stringify(answers));
`,
  ],
  python: [
    'driver.py',
    `import json, sys
from check_token import check, step_up

answers = []
for authorization, scope, *acr in json.loads(sys.argv[1]):
    status, claims, challenge = check(authorization, scope)
    weak = acr and claims and step_up(claims, acr[0], 300)
    if weak:
        status, claims, challenge = 401, None, weak
    answers.append([status, claims and claims["client_id"], challenge])
print(json.dumps(answers))
`,
  ],
  go: [
    'driver.go',
    `package main

import (
	"context"
	"encoding/json"
	"os"
	"time"
)

func orNil(text any) any {
	if text == "" {
		return nil
	}
	return text
}

func main() {
	var cases, answers [][]any
	json.Unmarshal([]byte(os.Args[1]), &cases)
	for _, each := range cases {
		authorization, _ := each[0].(string)
		scope, _ := each[1].(string)
		claims, status, challenge, err := Check(context.Background(), authorization, scope)
		if err != nil {
			panic(err)
		}
		if len(each) > 2 && status == 200 {
			if weak := StepUp(claims, each[2].(string), 5*time.Minute); weak != "" {
				claims, status, challenge = nil, 401, weak
			}
		}
		answers = append(answers, []any{status, claims["client_id"], orNil(challenge)})
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
`,
  ],
};

import { missing } from '../support/missing.ts';

/** Runs the code of an API's page in one language on some requests. */
async function check(
  api: ApiRecord,
  id: Language,
  server: TestClient,
  cases: Case[],
): Promise<Result[]> {
  const scopes = api.scopes.map(({ name }) => name);
  const checker = checkersOf({ ...api, issuer: gatehouse.issuer, scopes }).find(
    (one) => one.id === id,
  );
  if (!checker) throw new Error(`There is no checker in ${id}.`);
  const folder = newFolder(`checker-${id}`);
  const [file, driver] = drivers[id];
  const own = { API_CLIENT_ID: server.id, API_CLIENT_SECRET: server.secret };
  if (id === 'java') {
    const sources = { [checker.file]: checker.text, [file]: driver };
    const [, starter = ''] = checker.install?.split(':') ?? [];
    return askOneByOne(await startSpring(folder, starter, sources, own), cases);
  }
  write(folder, checker.file, checker.text);
  write(folder, file, driver);
  const env = { ...process.env, ...own };
  const run = (program: string, args: string[]) =>
    execFileSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  const asked = JSON.stringify(cases);
  if (id === 'typescript') return JSON.parse(run(process.execPath, [file, asked]));
  if (id === 'python') return JSON.parse(run(`${python ?? ''}/python`, [file, asked]));
  run('go', ['mod', 'init', 'example.org/api']);
  if (checker.install) run('sh', ['-ec', checker.install]);
  return JSON.parse(run('go', ['run', '.', asked]));
}

/** The same for an API that runs as a server. */
async function askOneByOne(origin: string, cases: Case[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const [authorization, scope, acr] of cases) {
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    const answer = await fetch(`${origin}/${acr ? `strong/${acr}` : scope}`, { headers });
    const { status } = answer;
    const caller = status === 200 ? await answer.text() : null;
    results.push([status, caller, answer.headers.get('www-authenticate')]);
  }
  return results;
}

/** A token as this server could have signed it. */
async function signed(claims: Record<string, unknown>, typ = 'at+jwt'): Promise<string> {
  const now = new Date();
  return sign(claims, { alg: 'RS256', typ }, await readRevision(), now);
}

const [single, mfa, passkey] = acrNames;

/**
 * Tokens, the strength of sign-in that a request needs (RFC 9470), and whether the token is good
 * enough.
 */
async function signInsFor(
  api: ApiRecord,
  good: string,
): Promise<(readonly [string, string | undefined, boolean])[]> {
  // A client's token for itself comes from no sign-in.
  if (!usesJwts(api)) return [[good, single, false]];
  const at = Math.floor(Date.now() / 1000);
  const from = (acr: string | undefined, auth_time: number) =>
    signed(
      {
        iss: gatehouse.issuer,
        aud: api.identifier,
        sub: 'u',
        client_id: client.id,
        iat: at,
        exp: at + 300,
        jti: unique('jti'),
        acr,
        auth_time,
      },
      jwtTypeFor(api),
    );
  return [
    [await from(mfa, at), single, true],
    [await from(mfa, at), mfa, true],
    [await from(passkey, at), mfa, true],
    [await from(mfa, at), passkey, false],
    [await from(single, at), mfa, false],
    [await from(mfa, at - 600), mfa, false],
    [await from('phrh', at), mfa, false],
    [await from(passkey, at), 'urn:gatehouse:mistyped', false],
    [good, single, false],
  ];
}

/** Tokens that are not valid for this API, by what is wrong with them. */
async function wrongJwts(api: ApiRecord, other: ApiRecord): Promise<[string, string][]> {
  const typ = jwtTypeFor(api);
  const at = Math.floor(Date.now() / 1000);
  const sound = {
    iss: gatehouse.issuer,
    aud: api.identifier,
    sub: client.id,
    client_id: client.id,
    iat: at,
    exp: at + 300,
    jti: unique('jti'),
    scope: api.scopes[0]?.name,
  };
  const { exp: _, ...endless } = sound;
  const { client_id: __, ...anonymous } = sound;
  const forApp = { ...anonymous, aud: client.id };
  const { privateKey } = await generateKeyPair('RS256');
  return [
    ['of another API', await tokenFor(other)],
    ['opaque', await tokenFor(null)],
    ['expired', await signed({ ...sound, iat: at - 7200, exp: at - 3600 }, typ)],
    ['an ID token', await signed(typ === 'JWT' ? forApp : sound, 'JWT')],
    ['an ID token for an app of that name', await signed(anonymous, 'JWT')],
    ['of another server', await signed({ ...sound, iss: 'https://other.example' }, typ)],
    ['without an end', await signed(endless, typ)],
    ['signed by nobody', new UnsecuredJWT(sound).encode()],
    [
      'signed by somebody else',
      await new SignJWT(sound).setProtectedHeader({ alg: 'RS256', typ }).sign(privateKey),
    ],
    ['no token', 'nonsense'],
  ];
}

/** The same for an API that introspects each token. */
async function wrongOpaque(api: ApiRecord, other: ApiRecord): Promise<[string, string][]> {
  const revoked = await tokenFor(api);
  await post(gatehouse, '/oauth/revoke', { ...credentials(client), token: revoked });
  const at = Math.floor(Date.now() / 1000);
  const claims = { iss: gatehouse.issuer, aud: api.identifier, sub: client.id, exp: at + 300 };
  return [
    ['of another API', await tokenFor(other)],
    ['for no API', await tokenFor(null)],
    ['revoked', revoked],
    ['an ID token', await signed(claims, 'JWT')],
    ['no token', 'nonsense'],
  ];
}

describe.each(tokenFormats)('the sample code that checks %s access tokens', (format) => {
  const languages: [Language, boolean][] = [
    ['typescript', true],
    ['python', python !== null],
    ['go', hasGo],
    ['java', withSpring],
  ];
  test.for(languages)('in %s', { timeout: 480_000 }, async ([id, canRun], { skip }) => {
    skip(!canRun, 'This machine lacks the language.');
    const server = await newClient();
    const api = await newApi(format, server);
    const other = await newApi(format, server);
    const [read = '', written = ''] = api.scopes.map(({ name }) => name);
    const good = await tokenFor(api);
    const wrong = [
      ...(await (usesJwts(api) ? wrongJwts : wrongOpaque)(api, other)),
      ['bound to a key', await boundFor(api)] as const,
    ];
    const signIns = await signInsFor(api, good);
    const results = await check(api, id, server, [
      ...[good, good, good].map((token, index) => {
        return [`Bearer ${token}`, ['', read, written][index] ?? ''] as const;
      }),
      ...[null, '', 'Basic YTpi', `Bearer  ${good} `].map((header) => [header, ''] as const),
      ...wrong.map(([, token]) => [`bearer ${token}`, ''] as const),
      ...signIns.map(([token, acr]) => [`Bearer ${token}`, '', acr] as const),
    ]);
    const challenge = wwwAuthenticateOf({ ...api, scopes: [read, written] });
    expect(results.slice(0, 3)).toEqual([
      [200, client.id, null],
      [200, client.id, null],
      [403, null, `${challenge}, error="insufficient_scope"`],
    ]);
    for (const result of results.slice(3, 6)) expect(result).toEqual([401, null, challenge]);
    // With one space too many, Spring takes the rest for a wrong token.
    const doubled = id === 'java' ? `${challenge}, error="invalid_token"` : challenge;
    expect(results[6]).toEqual([401, null, doubled]);
    expect(results).toHaveLength(7 + wrong.length + signIns.length);
    for (const [index, [, acr, isGood]] of signIns.entries())
      expect(results[7 + wrong.length + index]).toEqual(
        isGood
          ? [200, client.id, null]
          : [
              401,
              null,
              `${challenge}, error="insufficient_user_authentication", acr_values="${acr}", max_age="300"`,
            ],
      );
    for (const [index, [what]] of wrong.entries())
      expect([what, ...(results[index + 7] ?? [])]).toEqual([
        what,
        401,
        null,
        `${challenge}, error="invalid_token"`,
      ]);
  });
});
