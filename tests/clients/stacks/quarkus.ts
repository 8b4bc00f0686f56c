import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { followRecipe, listening, start, write } from '../recipe-app.ts';
import { withSpring as withMaven } from '../spring.ts';
import type { Stack } from './stack.ts';

/** A project with the extensions that the recipe adds. */
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>app</groupId>
  <artifactId>app</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <maven.compiler.parameters>true</maven.compiler.parameters>
  </properties>
  <dependencyManagement><dependencies><dependency>
    <groupId>io.quarkus.platform</groupId><artifactId>quarkus-bom</artifactId><version>3.20.0</version>
    <type>pom</type><scope>import</scope>
  </dependency></dependencies></dependencyManagement>
  <dependencies>
    <dependency><groupId>io.quarkus</groupId><artifactId>quarkus-oidc</artifactId></dependency>
    <dependency><groupId>io.quarkus</groupId><artifactId>quarkus-rest</artifactId></dependency>
  </dependencies>
  <build><plugins><plugin>
    <groupId>io.quarkus.platform</groupId><artifactId>quarkus-maven-plugin</artifactId><version>3.20.0</version>
    <extensions>true</extensions>
    <executions><execution><goals><goal>build</goal></goals></execution></executions>
  </plugin></plugins></build>
</project>
`;

async function startQuarkus(issuer: string) {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text, clientId } = await followRecipe(issuer, 'quarkus', { address });
  expect(text('In your project')).toContain('-Dextensions=oidc,rest');
  write(folder, 'pom.xml', pom);
  write(folder, 'src/main/java/app/SignIn.java', `package app;\n\n${text('SignIn.java')}`);
  execFileSync('mvn', ['-q', '-B', 'package'], { cwd: folder, stdio: 'pipe' });
  const args = [`-Dquarkus.http.port=${port}`, '-jar', 'target/quarkus-app/quarkus-run.jar'];
  await listening(port, start(folder, 'java', args));
  return { address, clientId };
}

export const quarkus: Stack = { start: withMaven ? startQuarkus : null };
