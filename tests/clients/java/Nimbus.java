import static java.util.Objects.requireNonNull;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.oauth2.sdk.*;
import com.nimbusds.oauth2.sdk.auth.*;
import com.nimbusds.oauth2.sdk.dpop.*;
import com.nimbusds.oauth2.sdk.dpop.verifiers.*;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.*;
import com.nimbusds.oauth2.sdk.pkce.*;
import com.nimbusds.oauth2.sdk.token.*;
import com.nimbusds.oauth2.sdk.tokenexchange.TokenExchangeGrant;
import com.nimbusds.openid.connect.sdk.*;
import com.nimbusds.openid.connect.sdk.claims.UserInfo;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.io.*;
import java.net.URI;
import java.util.*;

/**
 * A client made with Nimbus' SDK that authenticates with one key and has its tokens bound to
 * another: java Nimbus.java sign-in | exchange
 */
class Nimbus {
  static final Issuer issuer = new Issuer(env("ISSUER"));
  static final ClientID client = new ClientID(env("CLIENT_ID"));
  static OIDCProviderMetadata metadata;
  static ECKey ownKey;
  static DefaultDPoPProofFactory proofs;
  static Nonce nonce;

  public static void main(String[] arguments) throws Exception {
    metadata = OIDCProviderMetadata.resolve(issuer);
    ownKey = ECKey.parse(env("KEY"));
    proofs = new DefaultDPoPProofFactory(new ECKeyGenerator(Curve.P_256).generate(), JWSAlgorithm.ES256);
    Map<String, Object> told = arguments[0].equals("sign-in") ? signIn() : exchange();
    System.out.println(JSONObjectUtils.toJSONString(told));
  }

  static Map<String, Object> signIn() throws Exception {
    State state = new State();
    Nonce openid = new Nonce();
    CodeVerifier verifier = new CodeVerifier();
    URI redirect = URI.create(env("REDIRECT_URI"));
    AuthorizationRequest asked =
        new AuthenticationRequest.Builder(ResponseType.CODE, Scope.parse("openid profile offline_access"), client, redirect)
            .state(state)
            .nonce(openid)
            .codeChallenge(verifier, CodeChallengeMethod.S256)
            .dPoPJWKThumbprintConfirmation(JWKThumbprintConfirmation.of(proofs.getPublicJWK()))
            .build();
    URI par = metadata.getPushedAuthorizationRequestEndpointURI();
    PushedAuthorizationSuccessResponse pushed =
        PushedAuthorizationResponse.parse(new PushedAuthorizationRequest(par, ownProof(), asked).toHTTPRequest().send())
            .toSuccessResponse();
    AuthorizationRequest short_ =
        new AuthorizationRequest.Builder(pushed.getRequestURI(), client)
            .endpointURI(metadata.getAuthorizationEndpointURI())
            .build();
    System.out.println(short_.toURI());

    String back = new BufferedReader(new InputStreamReader(System.in)).readLine();
    AuthenticationSuccessResponse answer = AuthenticationResponseParser.parse(URI.create(back)).toSuccessResponse();
    require(state.equals(answer.getState()) && issuer.equals(answer.getIssuer()), "another answer");
    OIDCTokenResponse tokens =
        OIDCTokenResponse.parse(ask(new AuthorizationCodeGrant(answer.getAuthorizationCode(), redirect, verifier)));
    var claims =
        new IDTokenValidator(issuer, client, JWSAlgorithm.ES256, metadata.getJWKSetURI().toURL())
            .validate(tokens.getOIDCTokens().getIDToken(), openid);
    AccessTokenResponse again =
        AccessTokenResponse.parse(ask(new RefreshTokenGrant(tokens.getOIDCTokens().getRefreshToken())));
    DPoPAccessToken token = requireNonNull(again.getTokens().getDPoPAccessToken());
    JWKThumbprintConfirmation bound = introspect(token).getJWKThumbprintConfirmation();
    beAnApi(token, bound);
    HTTPResponse stolen =
        new UserInfoRequest(metadata.getUserInfoEndpointURI(), new BearerAccessToken(token.getValue())).toHTTPRequest().send();
    return Map.of(
        "sub", claims.getSubject().getValue(),
        "userinfo", userInfo(token).getSubject().getValue(),
        "isBound", bound.equals(JWKThumbprintConfirmation.of(proofs.getPublicJWK())),
        "stolen", stolen.getStatusCode(),
        "hadNonce", nonce != null);
  }

  /** An API made with Nimbus' SDK accepts the token and a proof. */
  static void beAnApi(DPoPAccessToken token, JWKThumbprintConfirmation bound) throws Exception {
    URI api = URI.create("https://api.example/orders");
    var verifier =
        new DPoPProtectedResourceRequestVerifier(
            Set.of(JWSAlgorithm.ES256), 60, new DefaultDPoPSingleUseChecker(60, 60));
    verifier.verify("GET", api, new DPoPIssuer(client), proofs.createDPoPJWT("GET", api, token), token, bound);
  }

  static UserInfo userInfo(DPoPAccessToken token) throws Exception {
    URI address = metadata.getUserInfoEndpointURI();
    for (int tries = 0; ; tries++) {
      var request = new UserInfoRequest(address, token).toHTTPRequest();
      request.setDPoP(proofs.createDPoPJWT("GET", address, token, nonce));
      HTTPResponse response = request.send();
      if (response.getStatusCode() == 200) return UserInfoResponse.parse(response).toSuccessResponse().getUserInfo();
      require(tries == 0 && response.getDPoPNonce() != null, response.getBody());
      nonce = response.getDPoPNonce();
    }
  }

  static TokenIntrospectionSuccessResponse introspect(AccessToken token) throws Exception {
    var request = new TokenIntrospectionRequest(metadata.getIntrospectionEndpointURI(), ownProof(), token);
    return TokenIntrospectionResponse.parse(request.toHTTPRequest().send()).toSuccessResponse();
  }

  static Map<String, Object> exchange() throws Exception {
    var grant = new TokenExchangeGrant(new BearerAccessToken(env("TOKEN")), TokenTypeURI.ACCESS_TOKEN);
    URI token = metadata.getTokenEndpointURI();
    var allowed = new TokenRequest.Builder(token, ownProof(), grant).resource(URI.create(env("FAR"))).build();
    AccessToken got = TokenResponse.parse(allowed.toHTTPRequest().send()).toSuccessResponse().getTokens().getAccessToken();
    var other = new TokenRequest.Builder(token, ownProof(), grant).resource(URI.create("https://other.example/")).build();
    ErrorObject error = TokenResponse.parse(other.toHTTPRequest().send()).toErrorResponse().getErrorObject();
    JWTClaimsSet claims = check(got.getValue(), env("FAR"));
    Actor actor = Actor.parseTopLevel(new net.minidev.json.JSONObject(claims.toJSONObject()));
    return Map.of(
        "sub", claims.getSubject(),
        "actor", actor.getSubject().getValue(),
        "issuedTokenType", got.getIssuedTokenType().toString(),
        "scope", got.getScope().toString(),
        "error", error.getCode());
  }

  /** An API checks a JWT (RFC 9068 section 4). @throws Exception if it is not valid for the API */
  static JWTClaimsSet check(String token, String audience) throws Exception {
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt")));
    var keys = JWKSourceBuilder.create(metadata.getJWKSetURI().toURL()).build();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.RS256, keys));
    var said = new JWTClaimsSet.Builder().issuer(issuer.getValue()).build();
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>(audience, said, Set.of("sub", "exp", "iat", "jti", "client_id")));
    return processor.process(token, null);
  }

  /** Sends a token request, with a nonce once the server demands one. */
  static HTTPResponse ask(AuthorizationGrant grant) throws Exception {
    URI endpoint = metadata.getTokenEndpointURI();
    for (int tries = 0; ; tries++) {
      var request = new TokenRequest.Builder(endpoint, ownProof(), grant).build().toHTTPRequest();
      request.setDPoP(proofs.createDPoPJWT("POST", endpoint, nonce));
      HTTPResponse response = request.send();
      if (response.getDPoPNonce() != null) nonce = response.getDPoPNonce();
      if (response.getStatusCode() == 200) return response;
      require(tries == 0 && response.getBody().contains("use_dpop_nonce"), response.getBody());
    }
  }

  static ClientAuthentication ownProof() throws Exception {
    var claims = new JWTAuthenticationClaimsSet(client, new Audience(issuer));
    return new PrivateKeyJWT(claims, JWSAlgorithm.ES256, ownKey.toECPrivateKey(), ownKey.getKeyID(), null);
  }

  static String env(String name) {
    return requireNonNull(System.getenv(name), name);
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) throw new IllegalStateException(otherwise);
  }
}
