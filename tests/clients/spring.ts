import { execFileSync } from 'node:child_process';
import { freePort } from '../support/free-port.ts';
import { listening, start, write } from './recipe-app.ts';

/**
 * Maven needs minutes to fetch and package Spring Boot: `TEST_SPRING=on npm test --
 * clients/api-checkers clients/recipe-stacks`.
 */
export const withSpring = process.env.TEST_SPRING === 'on';

const pom = (starter: string) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>4.0.0</version>
  </parent>
  <groupId>app</groupId>
  <artifactId>app</artifactId>
  <version>1</version>
  <properties><java.version>17</java.version></properties>
  <dependencies>
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-webmvc</artifactId></dependency>
    <dependency><groupId>org.springframework.boot</groupId><artifactId>${starter}</artifactId></dependency>
  </dependencies>
  <build><plugins><plugin>
    <groupId>org.springframework.boot</groupId><artifactId>spring-boot-maven-plugin</artifactId>
  </plugin></plugins></build>
</project>
`;

const application = `import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Application {
  public static void main(String[] arguments) { SpringApplication.run(Application.class, arguments); }
}
`;

/** Builds and starts a Spring Boot 4 app with these classes, and returns its address. */
export async function startSpring(
  folder: string,
  starter: string,
  sources: Readonly<Record<string, string>>,
  env: Record<string, string>,
  at?: number,
): Promise<string> {
  write(folder, 'pom.xml', pom(starter));
  for (const [file, text] of Object.entries({ 'Application.java': application, ...sources }))
    write(folder, `src/main/java/app/${file}`, `package app;\n\n${text}`);
  execFileSync('mvn', ['-q', '-B', 'package'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const port = at ?? (await freePort());
  const args = ['-jar', 'target/app-1.jar', `--server.port=${port}`];
  await listening(port, start(folder, 'java', args, env));
  return `http://localhost:${port}`;
}
