import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { missing } from '../support/missing.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/**
 * The class path of these packages (`group:name:version`) and their dependencies. Maven fetches
 * them once, and they are kept beside this project's own packages. Null if they are not available;
 * a line in the output says why.
 */
export async function javaWith(packages: readonly string[]): Promise<string | null> {
  const name = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 12);
  const folder = resolve(root, 'node_modules/.cache', `java-${name}`);
  const [stamp, path] = [resolve(folder, 'ready'), resolve(folder, 'lib', '*')];
  if (existsSync(stamp)) return path;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(resolve(folder, 'pom.xml'), pom(packages));
    const fetch = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
    await run('mvn', fetch, { cwd: folder });
    await run('java', ['-version']);
    writeFileSync(stamp, '');
    return path;
  } catch (error) {
    missing(`Java with ${packages.join(', ')}`, 'apt-get install maven', error);
    return null;
  }
}

const pom = (packages: readonly string[]) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>app</groupId>
  <artifactId>app</artifactId>
  <version>1</version>
  <dependencies>${packages.map(dependency).join('')}</dependencies>
</project>
`;

function dependency(text: string): string {
  const [group, name, version] = text.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
}
