import { jwtType } from '../../oauth/jwt-access-token.ts';
import { java, joined, type Text } from '../text.ts';
import type { CheckerFacts } from './checker-facts.ts';

/** Who is let in, and how other requests are answered; `tokens` is Spring's name for the format. */
const security = ({ challenge, acrs }: CheckerFacts, tokens: 'jwt' | 'opaqueToken') => java`
  import jakarta.servlet.http.HttpServletResponse;
  import java.time.Duration;
  import java.time.Instant;
  import java.util.List;
  import java.util.Objects;
  import org.springframework.context.annotation.Bean;
  import org.springframework.context.annotation.Configuration;
  import org.springframework.security.access.AccessDeniedException;
  import org.springframework.security.config.Customizer;
  import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
  import org.springframework.security.config.annotation.web.builders.HttpSecurity;
  import org.springframework.security.config.http.SessionCreationPolicy;
  import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
  import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
  import org.springframework.security.oauth2.jwt.*;
  import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;
  import org.springframework.security.oauth2.server.resource.introspection.*;
  import org.springframework.security.web.SecurityFilterChain;

  /** A method that needs a scope says so: @PreAuthorize("hasAuthority('SCOPE_...')"). */
  @Configuration
  @EnableMethodSecurity
  class ApiSecurity {
      private static final String CHALLENGE = ${challenge};

      @Bean
      SecurityFilterChain api(HttpSecurity http) throws Exception {
          return http
              .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
              .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
              // No cookies, so nothing that another site could use.
              .csrf(csrf -> csrf.disable())
              .oauth2ResourceServer(server -> server
                  .${{ verbatim: tokens }}(Customizer.withDefaults())
                  .authenticationEntryPoint((request, response, refusal) -> {
                      boolean hasToken = refusal instanceof OAuth2AuthenticationException;
                      answer(response, 401, hasToken ? ", error=\"invalid_token\"" : "");
                  })
                  .accessDeniedHandler((request, response, refusal) -> {
                      if (refusal instanceof WeakSignIn weak) answer(response, 401, weak.getMessage());
                      else answer(response, 403, ", error=\"insufficient_scope\"");
                  }))
              .build();
      }

      private static void answer(HttpServletResponse response, int status, String error) {
          response.setStatus(status);
          response.setHeader("WWW-Authenticate", CHALLENGE + error);
      }

      /** Strengths of a sign-in, the weakest first: one step, two steps, a passkey. */
      private static final List<String> STRENGTHS = List.of(${acrs}.split(" "));

      private static final class WeakSignIn extends AccessDeniedException {
          WeakSignIn(String wanted) {
              super(wanted);
          }
      }

      /**
       * Refuses a request that needs a stronger or a newer sign-in than that of its token (RFC 9470). The
       * app asks its user for that, and comes again. maxAge may be null.
       */
      static void stepUp(AbstractOAuth2TokenAuthenticationToken<?> caller, String acr, Duration maxAge) {
          var claims = caller.getTokenAttributes();
          int has = claims.get("acr") instanceof String told ? STRENGTHS.indexOf(told) : -1;
          int needs = STRENGTHS.indexOf(acr);
          long since = claims.get("auth_time") instanceof Number time ? time.longValue() : 0;
          boolean isNew = maxAge == null
              || !Instant.ofEpochSecond(since).plus(maxAge).isBefore(Instant.now());
          if (needs >= 0 && has >= needs && isNew) return;
          var age = maxAge == null ? "" : ", max_age=\"" + maxAge.toSeconds() + "\"";
          throw new WeakSignIn(", error=\"insufficient_user_authentication\", acr_values=\"" + acr + "\"" + age);
      }
  }
`;

/** Checks JWTs with the server's keys, in Spring Boot 4. */
export function javaForJwt(facts: CheckerFacts): Text {
  return joined('\n', security(facts, 'jwt'), facts.typ === jwtType ? typed(facts) : plain(facts));
}

const typed = (facts: CheckerFacts) => java`
  @Configuration
  class ApiTokens {
      /** Settings alone take no token of type at+jwt, which access tokens are (RFC 9068). */
      @Bean
      JwtDecoder jwtDecoder() {
          var decoder = NimbusJwtDecoder.withIssuerLocation(${facts.issuer})
              .validateType(false)
              .jwsAlgorithms(known -> known.addAll(List.of(SignatureAlgorithm.RS256, SignatureAlgorithm.ES256)))
              .build();
          // Any app may come; without this, one has to be named.
          var anyApp = new JwtClaimValidator<String>("client_id", Objects::nonNull);
          decoder.setJwtValidator(JwtValidators.createAtJwtValidator()
              .issuer(${facts.issuer})
              .audience(${facts.identifier})
              .validators(all -> all.put("client_id", anyApp))
              .build());
          return decoder;
      }
  }
`;

/**
 * Spring accepts tokens of type JWT by default; the other claims they must have are configured
 * here.
 */
const plain = (facts: CheckerFacts) => java`
  @Configuration
  class ApiTokens {
      @Bean
      JwtDecoder jwtDecoder() {
          var decoder = NimbusJwtDecoder.withIssuerLocation(${facts.issuer})
              .jwsAlgorithms(known -> known.addAll(List.of(SignatureAlgorithm.RS256, SignatureAlgorithm.ES256)))
              .build();
          // An ID token is no access token: its audience is an app, and it has no client_id.
          decoder.setJwtValidator(JwtValidators.createDefaultWithValidators(List.of(
              new JwtIssuerValidator(${facts.issuer}),
              new JwtAudienceValidator(${facts.identifier}),
              new JwtClaimValidator<Object>("exp", Objects::nonNull),
              new JwtClaimValidator<String>("client_id", Objects::nonNull))));
          return decoder;
      }
  }
`;

/** Asks the server about each token, in Spring Boot 4. */
export function javaForOpaque(facts: CheckerFacts): Text {
  const tokens = java`
    @Configuration
    class ApiTokens {
        /** The server is asked with the client ID and secret of the API's app (RFC 7662). */
        @Bean
        OpaqueTokenIntrospector introspector() {
            var server = SpringOpaqueTokenIntrospector.withIntrospectionUri(${facts.introspect})
                .clientId(Objects.requireNonNull(System.getenv("API_CLIENT_ID")))
                .clientSecret(Objects.requireNonNull(System.getenv("API_CLIENT_SECRET")))
                .build();
            return token -> {
                var claims = server.introspect(token);
                List<String> audience = claims.getAttribute("aud");
                if (audience == null || !audience.contains(${facts.identifier}))
                    throw new BadOpaqueTokenException("This token is for another API.");
                // One that is bound to a key (RFC 9449) is no bearer token.
                if (claims.getAttribute("cnf") != null)
                    throw new BadOpaqueTokenException("This token is bound to a key.");
                return claims;
            };
        }
    }
  `;
  return joined('\n', security(facts, 'opaqueToken'), tokens);
}
