import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { gradle, java, yaml } from '../text.ts';

export const springBoot = recipe({
  id: 'spring-boot',
  name: 'Spring Boot',
  mark: 'springboot',
  kind: 'stack',
  summary: 'Java and Kotlin; Spring Boot 4, Spring Security',
  names: 'java, spring, spring security, kotlin',
  questions: { address: appAddress('http://localhost:8080') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/login/oauth2/code/gatehouse`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Add the dependencies (at start.spring.io: Spring Web and OAuth2 Client) and the settings.',
    'Put SignIn.java beside your application’s class, with the same package line.',
    'Start the app and open its address. Every page but that one is for people who signed in.',
    'Key your accounts on getSubject() of the OidcUser. Spring renews the tokens by itself.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'build.gradle',
      ...gradle`
        dependencies {
            implementation 'org.springframework.boot:spring-boot-starter-security-oauth2-client'
            implementation 'org.springframework.boot:spring-boot-starter-webmvc'
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
                    scope: openid, profile, email, offline_access
                provider:
                  gatehouse:
                    issuer-uri: ${server.issuer}
      `,
    },
    {
      title: 'SignIn.java',
      ...java`
        import jakarta.servlet.http.HttpServletRequest;
        import java.util.Map;
        import org.springframework.context.annotation.Bean;
        import org.springframework.context.annotation.Configuration;
        import org.springframework.http.MediaType;
        import org.springframework.http.ResponseEntity;
        import org.springframework.security.config.annotation.web.builders.HttpSecurity;
        import org.springframework.security.core.Authentication;
        import org.springframework.security.core.annotation.AuthenticationPrincipal;
        import org.springframework.security.oauth2.client.ClientAuthorizationException;
        import org.springframework.security.oauth2.client.OAuth2AuthorizeRequest;
        import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
        import org.springframework.security.oauth2.client.OAuth2AuthorizedClientManager;
        import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
        import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
        import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
        import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
        import org.springframework.security.oauth2.core.oidc.user.OidcUser;
        import org.springframework.security.web.SecurityFilterChain;
        import org.springframework.security.web.csrf.CsrfToken;
        import org.springframework.web.bind.annotation.ControllerAdvice;
        import org.springframework.web.bind.annotation.ExceptionHandler;
        import org.springframework.web.bind.annotation.GetMapping;
        import org.springframework.web.bind.annotation.ModelAttribute;
        import org.springframework.web.bind.annotation.RestController;
        import org.springframework.web.client.HttpClientErrorException;
        import org.springframework.web.client.RestClient;
        import org.springframework.web.util.HtmlUtils;

        @Configuration
        class SignIn {
            static final String LINK = "/oauth2/authorization/gatehouse";

            @Bean
            SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository apps) throws Exception {
                // Out of this app, then out of Gatehouse.
                var gatehouse = new OidcClientInitiatedLogoutSuccessHandler(apps);
                gatehouse.setPostLogoutRedirectUri("{baseUrl}/");
                return http
                    .authorizeHttpRequests(requests -> requests
                        .requestMatchers("/").permitAll()
                        .anyRequest().authenticated())
                    .oauth2Login(login -> login.failureHandler((request, response, failure) -> {
                        boolean saidNo = failure instanceof OAuth2AuthenticationException refusal
                            && refusal.getError().getErrorCode().equals("access_denied");
                        response.setStatus(saidNo ? 200 : 401);
                        response.setContentType("text/html;charset=UTF-8");
                        response.getWriter().print(saidNo
                            ? "You said no. <a href=\"" + LINK + "\">Try again</a>"
                            : "The sign-in failed: " + HtmlUtils.htmlEscape(String.valueOf(failure.getMessage())));
                    }))
                    .logout(logout -> logout.logoutSuccessHandler(gatehouse))
                    .build();
            }
        }

        /** Whoever is signed in here is so at Gatehouse still: the renewal of a token finds out. */
        @ControllerAdvice
        class StillHere {
            private final OAuth2AuthorizedClientManager tokens;

            StillHere(OAuth2AuthorizedClientManager tokens) {
                this.tokens = tokens;
            }

            @ModelAttribute
            void renew(Authentication person) {
                if (person != null && person.getPrincipal() instanceof OidcUser)
                    tokens.authorize(OAuth2AuthorizeRequest.withClientRegistrationId("gatehouse").principal(person).build());
            }

            /** Only these say that the sign-in is over. Others pass, or are mended in the set-up. */
            @ExceptionHandler({ClientAuthorizationException.class, HttpClientErrorException.Unauthorized.class})
            ResponseEntity<String> refused(Exception failure, HttpServletRequest request) {
                String code = failure instanceof ClientAuthorizationException refusal
                    ? refusal.getError().getErrorCode() : "invalid_grant";
                boolean isOver = code.equals("invalid_grant") || code.equals("client_authorization_required");
                if (isOver) request.getSession().invalidate();
                return ResponseEntity.status(isOver ? 401 : 503).contentType(MediaType.valueOf("text/html;charset=UTF-8"))
                    .body((isOver ? "Your sign-in has ended. " : "That didn’t work. Try again in a minute, or ")
                        + "<a href=\"" + SignIn.LINK + "\">" + (isOver ? "Sign in again" : "sign in again") + "</a>"
                        + (isOver ? "" : "."));
            }
        }

        @RestController
        class Pages {
            private final RestClient http = RestClient.create();

            @GetMapping(path = "/", produces = "text/html;charset=UTF-8")
            String home(@AuthenticationPrincipal OidcUser user, CsrfToken csrf) {
                if (user == null) return "<a href=\"" + SignIn.LINK + "\">Sign in</a>";
                return "<p>Signed in as " + HtmlUtils.htmlEscape(user.getPreferredUsername()) + "</p>"
                    + "<form method=\"post\" action=\"/logout\">"
                    + "<input type=\"hidden\" name=\"" + csrf.getParameterName() + "\" value=\"" + csrf.getToken() + "\">"
                    + "<button>Sign out</button></form>";
            }

            /** What the server says of the person now, by a token that is live. */
            @GetMapping("/me")
            Map<?, ?> me(@RegisteredOAuth2AuthorizedClient("gatehouse") OAuth2AuthorizedClient app) {
                return http.get()
                    .uri(app.getClientRegistration().getProviderDetails().getUserInfoEndpoint().getUri())
                    .headers(headers -> headers.setBearerAuth(app.getAccessToken().getTokenValue()))
                    .retrieve()
                    .body(Map.class);
            }
        }
      `,
    },
  ],
  trap: 'Behind a proxy, set server.forward-headers-strategy: framework. Otherwise Spring makes the redirect URI with the address that the proxy uses, and it doesn’t match.',
  source: {
    version: 'Spring Boot 4.0.0, Spring Security 7.0.0',
    pages: [
      'Spring Security documentation: OAuth 2.0 Login, Advanced Configuration',
      'Spring Security documentation: OIDC Logout',
    ],
    notChecked: [],
  },
  checked: 'run',
});
