import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { gradle, yaml } from '../text.ts';

export const springBoot = recipe({
  id: 'spring-boot',
  name: 'Spring Boot',
  kind: 'stack',
  summary: 'Java and Kotlin; Spring Security',
  questions: { address: appAddress('http://localhost:8080') },
  client: { ...webClient, authentication: 'basic', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/login/oauth2/code/gatehouse`],
  postLogoutRedirectUris: ({ address }) => [address, `${address}/`],
  steps: [
    'Add the dependency and the settings. Spring Boot then protects every page.',
    'Start the app and open any page.',
    'A parameter of type OidcUser, annotated with @AuthenticationPrincipal, is the signed-in user.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'build.gradle',
      ...gradle`
        dependencies {
            implementation 'org.springframework.boot:spring-boot-starter-oauth2-client'
            implementation 'org.springframework.boot:spring-boot-starter-web'
        }
      `,
    },
    {
      title: 'src/main/resources/application.yaml',
      ...yaml`
        spring:
          security:
            oauth2:
              client:
                registration:
                  gatehouse:
                    client-id: ${clientId}
                    client-secret: ${clientSecret}
                    scope: openid, profile, email
                provider:
                  gatehouse:
                    issuer-uri: ${server.issuer}
                    user-name-attribute: preferred_username
      `,
    },
  ],
  trap: 'Spring reports “Invalid credentials” whatever went wrong. Look at the trace here, or turn on logging.level.org.springframework.security=trace.',
  source: {
    version: 'Spring Boot 3.5.7',
    pages: ['Spring Security documentation: OAuth 2.0 Login, Core Configuration'],
    notChecked: ['That Spring Boot 4 always sends PKCE.'],
  },
  checked: 'documentation',
});
