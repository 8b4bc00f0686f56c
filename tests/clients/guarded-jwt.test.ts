import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { sign } from '#lib/identity/signing.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { blocksOf } from '../docs/blocks.ts';
import { newGuarded, SiteBrowser } from '../support/guarded.ts';
import { missing } from '../support/missing.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { javaWith } from './java.ts';
import { pythonWith } from './python.ts';
import { newFolder, write } from './recipe-app.ts';

// The samples of docs/guides/guarded.md, exactly as people paste them, with headers of this server.
const server = await openServer();
const python = await pythonWith(['PyJWT[crypto]==2.15.1']);
const goOidc = ['list', '-m', 'github.com/coreos/go-oidc/v3@v3.21.0'];
const hasGo = spawnSync('go', goOidc, { cwd: tmpdir() }).status === 0;
if (!hasGo) missing('Go and its modules', 'apt-get install golang-go');
const classPath = await javaWith(['com.nimbusds:nimbus-jose-jwt:10.9.1']);

type Way = {
  file: string;
  driver: [file: string, text: string];
  run: string[];
  before?: string[][];
};

/** How each sample is run on headers: a program says whom each names, or null. */
const ways: Record<string, Way | null> = {
  js: {
    file: 'check.mjs',
    driver: [
      'driver.mjs',
      `import { check } from './check.mjs';
const said = [];
for (const header of JSON.parse(process.argv[2])) said.push(await check(header).then(({ sub }) => sub, () => null));
console.log(JSON.stringify(said));
`,
    ],
    run: [process.execPath, 'driver.mjs'],
  },
  python:
    python === null
      ? null
      : {
          file: 'check_who.py',
          driver: [
            'driver.py',
            `import json, sys
from check_who import check
said = []
for header in json.loads(sys.argv[1]):
    try:
        said.append(check(header)["sub"])
    except Exception:
        said.append(None)
print(json.dumps(said))
`,
          ],
          run: [`${python}/python`, 'driver.py'],
        },
  go: hasGo
    ? {
        file: 'check.go',
        driver: [
          'driver.go',
          `package main

import (
	"context"
	"encoding/json"
	"os"
)

func main() {
	var headers []string
	json.Unmarshal([]byte(os.Args[1]), &headers)
	said := []any{}
	for _, header := range headers {
		claims, err := Check(context.Background(), header)
		if err != nil {
			said = append(said, nil)
		} else {
			said = append(said, claims["sub"])
		}
	}
	json.NewEncoder(os.Stdout).Encode(said)
}
`,
        ],
        before: [
          ['go', 'mod', 'init', 'example.org/app'],
          ['go', 'get', 'github.com/coreos/go-oidc/v3/oidc@v3.21.0'],
        ],
        run: ['go', 'run', '.'],
      }
    : null,
  java: classPath
    ? {
        file: 'WhoAsks.java',
        driver: [
          'Driver.java',
          `class Driver {
    public static void main(String[] headers) throws Exception {
        var who = new WhoAsks();
        var said = new java.util.ArrayList<String>();
        for (var header : headers) {
            try {
                said.add('"' + who.check(header.equals("-") ? "" : header).getSubject() + '"');
            } catch (Exception refused) {
                said.add("null");
            }
        }
        System.out.println(said);
    }
}
`,
        ],
        before: [['javac', '-cp', classPath, 'WhoAsks.java', 'Driver.java']],
        run: ['java', '-cp', `${classPath}:.`, 'Driver'],
      }
    : null,
};

/** The header of a person at a site, and others that look like one. */
async function headersAt(host: string) {
  await newGuarded({ guardedSites: [`https://${host}`, 'https://other.example.org'] });
  const person = await newPerson(server);
  const browser = new SiteBrowser(person, 'caddy');
  const good = String((await browser.enter(`https://${host}/`)).headers['x-gatehouse-jwt']);
  const other = String(
    (await browser.enter('https://other.example.org/')).headers['x-gatehouse-jwt'],
  );
  const at = Math.floor(Date.now() / 1000);
  const sound = { iss: server.issuer, aud: host, sub: 'root', iat: at, exp: at + 60 };
  const own = async (claims: object, alg: 'ES256' | 'RS256' = 'ES256') =>
    sign({ ...sound, ...claims }, { alg, typ: 'JWT' }, await readRevision(), new Date());
  const { privateKey } = await generateKeyPair('ES256');
  const wrong: Record<string, string> = {
    'of another site': other,
    'of another server': await own({ iss: 'https://other.example' }),
    'an ID token': await own({ aud: 'some-app' }),
    'over for long': await own({ iat: at - 3600, exp: at - 300 }),
    'without an end': await own({ exp: undefined }),
    'of another algorithm': await own({}, 'RS256'),
    'signed by nobody': new UnsecuredJWT(sound).encode(),
    'signed by somebody else': await new SignJWT(sound)
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .sign(privateKey),
    'cut off': good.slice(0, -4),
    nothing: '',
  };
  return { good, wrong, sub: person.user.id };
}

const scene = await headersAt('app.example.org');

test.for(Object.entries(ways))(
  'the sample in %s tells who asks, and believes no other header',
  { timeout: 300_000 },
  ([language, way], { skip }) => {
    skip(!way, 'This machine lacks the language.');
    if (!way) return;
    const block = blocksOf('docs/guides/guarded.md').find((each) => each.language === language);
    const folder = newFolder(`guarded-${language}`);
    write(folder, way.file, block?.text.replaceAll('https://id.example.org', server.issuer) ?? '');
    write(folder, ...way.driver);
    const run = ([program = '', ...args]: string[]) =>
      execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
    for (const command of way.before ?? []) run(command);
    const headers = [scene.good, ...Object.values(scene.wrong)];
    const given =
      language === 'java' ? headers.map((each) => each || '-') : [JSON.stringify(headers)];
    const [first, ...others] = JSON.parse(run([...way.run, ...given]));
    expect(first).toBe(scene.sub);
    const believed = Object.keys(scene.wrong).filter((_, index) => others[index] !== null);
    expect([others.length, believed]).toEqual([headers.length - 1, []]);
  },
);
