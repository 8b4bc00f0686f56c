import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { java, properties, shell } from '../text.ts';

export const quarkus = recipe({
  id: 'quarkus',
  name: 'Quarkus',
  mark: 'quarkus',
  kind: 'stack',
  summary: 'Java and Kotlin; the extension oidc',
  names: 'java, micronaut, jakarta',
  questions: { address: appAddress('http://localhost:8080') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  backchannelLogoutUri: ({ address }) => `${address}/ended`,
  steps: [
    'Add the extensions and the settings, and put SignIn.java beside your classes, with their package line.',
    'Start the app (./mvnw quarkus:dev) and open its address.',
    'Put @Authenticated on what is for people who signed in. Key your accounts on getSubject() of the ID token.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'In your project',
      ...shell`
        ./mvnw quarkus:add-extension -Dextensions=oidc,rest
      `,
    },
    {
      title: 'src/main/resources/application.properties',
      ...properties`
        quarkus.oidc.auth-server-url=${server.issuer}
        quarkus.oidc.client-id=${clientId}
        quarkus.oidc.credentials.secret=${clientSecret}
        quarkus.oidc.application-type=web-app
        quarkus.oidc.authentication.scopes=profile,email,offline_access
        quarkus.oidc.authentication.pkce-required=true
        quarkus.oidc.authentication.redirect-path=/callback
        quarkus.oidc.authentication.restore-path-after-redirect=true
        quarkus.oidc.authentication.error-path=/refused
        quarkus.oidc.logout.path=/logout
        quarkus.oidc.logout.post-logout-path=/
        quarkus.oidc.token.refresh-expired=true
        quarkus.oidc.authentication.session-age-extension=30D
        # Gatehouse posts here when somebody signs out there or is disabled.
        quarkus.oidc.logout.backchannel.path=/ended
      `,
    },
    {
      title: 'SignIn.java',
      ...java`
        import io.quarkus.oidc.IdToken;
        import io.quarkus.security.Authenticated;
        import io.quarkus.security.identity.SecurityIdentity;
        import jakarta.inject.Inject;
        import jakarta.ws.rs.GET;
        import jakarta.ws.rs.Path;
        import jakarta.ws.rs.Produces;
        import jakarta.ws.rs.QueryParam;
        import jakarta.ws.rs.core.MediaType;
        import jakarta.ws.rs.core.Response;
        import java.net.URI;
        import org.eclipse.microprofile.jwt.JsonWebToken;

        @Path("/")
        @Produces(MediaType.TEXT_HTML)
        public class SignIn {
            @Inject
            SecurityIdentity identity;

            @Inject
            @IdToken
            JsonWebToken person;

            @GET
            public String home() {
                if (identity.isAnonymous()) return "<a href=\"/login\">Sign in</a>";
                String name = person.getClaim("preferred_username");
                return "<p>Signed in as " + escaped(name) + "</p>"
                    + "<form method=\"post\" action=\"/logout\"><button>Sign out</button></form>";
            }

            /** Whoever has not signed in does that before they come here. */
            @GET
            @Path("login")
            @Authenticated
            public Response login() {
                return Response.seeOther(URI.create("/")).build();
            }

            /** Where a sign-in ends that was refused. */
            @GET
            @Path("refused")
            public Response refused(@QueryParam("error") String error) {
                boolean saidNo = "access_denied".equals(error);
                return Response.status(saidNo ? 200 : 400)
                    .entity(saidNo
                        ? "You said no. <a href=\"/login\">Try again</a>"
                        : "The sign-in failed: " + escaped(error))
                    .build();
            }

            private static String escaped(String text) {
                return String.valueOf(text).replace("&", "&amp;").replace("<", "&lt;");
            }
        }
      `,
    },
  ],
  trap: 'Behind a proxy, set quarkus.http.proxy.proxy-address-forwarding and quarkus.http.proxy.enable-forwarded-host to true. Otherwise Quarkus makes the redirect URI with the address that the proxy uses, and it doesn’t match.',
  source: {
    version: 'Quarkus 3.20.0',
    pages: ['Quarkus documentation: OpenID Connect authorization code flow'],
    notChecked: ['That tokens are renewed when they expire.', 'Newer versions than this one.'],
  },
  checked: 'run',
});
