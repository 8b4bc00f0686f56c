import { go, joined, type Text } from '../text.ts';
import type { CheckerFacts } from './checker-facts.ts';

const checking = ({ challenge, acrs }: CheckerFacts) => go`
  const challenge = ${challenge}

  var bearer = regexp.MustCompile(${'^(?i:Bearer) +([A-Za-z0-9._~+/-]+=*)$'})

  // Check checks the Authorization header of a request that needs a scope. Unless the status is
  // 200, answer with it, and with the challenge in the header WWW-Authenticate. An error says that
  // the token could not be checked.
  func Check(ctx context.Context, authorization, scope string) (claims map[string]any, status int, answer string, err error) {
  	found := bearer.FindStringSubmatch(authorization)
  	if found == nil {
  		return nil, http.StatusUnauthorized, challenge, nil
  	}
  	claims, err = claimsOf(ctx, found[1])
  	if err != nil {
  		return nil, http.StatusServiceUnavailable, "", err
  	}
  	// One that is bound to a key (RFC 9449) is no bearer token.
  	if claims == nil || claims["cnf"] != nil {
  		return nil, http.StatusUnauthorized, challenge + ", error=\"invalid_token\"", nil
  	}
  	granted, _ := claims["scope"].(string)
  	if scope != "" && !slices.Contains(strings.Split(granted, " "), scope) {
  		return nil, http.StatusForbidden, challenge + ", error=\"insufficient_scope\"", nil
  	}
  	return claims, http.StatusOK, "", nil
  }

  // Strengths of a sign-in, the weakest first: one step, two steps, a passkey.
  var strengths = strings.Split(${acrs}, " ")

  // StepUp gives the challenge to answer with, and 401, where a request needs a stronger or a newer
  // sign-in than that of its token (RFC 9470); "" says that it will do. The app asks its user for
  // that, and comes again. A maxAge of 0 is none.
  func StepUp(claims map[string]any, acr string, maxAge time.Duration) string {
  	got, _ := claims["acr"].(string)
  	since, _ := claims["auth_time"].(float64)
  	has, needs := slices.Index(strengths, got), slices.Index(strengths, acr)
  	isNew := maxAge == 0 || time.Since(time.Unix(int64(since), 0)) <= maxAge
  	if needs >= 0 && has >= needs && isNew {
  		return ""
  	}
  	wanted := ", error=\"insufficient_user_authentication\", acr_values=\"" + acr + "\""
  	if maxAge != 0 {
  		wanted += fmt.Sprintf(", max_age=\"%d\"", int(maxAge.Seconds()))
  	}
  	return challenge + wanted
  }
`;

/** Checks JWTs with the server's keys, without asking the server each time. */
export function goForJwt(facts: CheckerFacts): Text {
  const head = go`
    package main

    import (
    	"context"
    	"encoding/base64"
    	"encoding/json"
    	"fmt"
    	"net/http"
    	"regexp"
    	"slices"
    	"strings"
    	"time"

    	"github.com/coreos/go-oidc/v3/oidc"
    )

    // Kept until a token names another key: restart this when one was revoked.
    var keys = oidc.NewRemoteKeySet(context.Background(), ${facts.jwks})
    var verifier = oidc.NewVerifier(${facts.issuer}, keys, &oidc.Config{
    	ClientID:             ${facts.identifier},
    	SupportedSigningAlgs: []string{oidc.RS256, oidc.ES256},
    })
  `;
  const claimsOf = go`
    // claimsOf says what the token says, or nil if it is not one for this API (RFC 9068 section 4).
    func claimsOf(ctx context.Context, token string) (map[string]any, error) {
    	// An ID token is no access token: its audience is an app, and it has no client_id.
    	first, _, _ := strings.Cut(token, ".")
    	raw, _ := base64.RawURLEncoding.DecodeString(first)
    	var header struct{ Typ string }
    	if json.Unmarshal(raw, &header) != nil || !strings.EqualFold(strings.TrimPrefix(header.Typ, "application/"), ${facts.typ}) {
    		return nil, nil
    	}
    	verified, err := verifier.Verify(ctx, token)
    	if err != nil {
    		return nil, nil
    	}
    	var claims map[string]any
    	if err := verified.Claims(&claims); err != nil || claims["client_id"] == nil {
    		return nil, err
    	}
    	return claims, nil
    }
  `;
  return joined('\n', head, checking(facts), claimsOf);
}

/** Asks the server about each token. */
export function goForOpaque(facts: CheckerFacts): Text {
  const head = go`
    package main

    import (
    	"context"
    	"encoding/json"
    	"fmt"
    	"net/http"
    	"net/url"
    	"os"
    	"regexp"
    	"slices"
    	"strings"
    	"time"
    )

    const api = ${facts.identifier}
  `;
  const claimsOf = go`
    // claimsOf says what the server says of the token, or nil if it is not a live one for this API
    // (RFC 7662). It proves that it is the API with the client ID and secret of its app.
    func claimsOf(ctx context.Context, token string) (map[string]any, error) {
    	form := url.Values{"token": {token}}
    	request, err := http.NewRequestWithContext(ctx, "POST", ${facts.introspect}, strings.NewReader(form.Encode()))
    	if err != nil {
    		return nil, err
    	}
    	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
    	request.SetBasicAuth(os.Getenv("API_CLIENT_ID"), os.Getenv("API_CLIENT_SECRET"))
    	response, err := http.DefaultClient.Do(request)
    	if err != nil {
    		return nil, err
    	}
    	defer response.Body.Close()
    	if response.StatusCode != http.StatusOK {
    		return nil, fmt.Errorf("introspection answered %s", response.Status)
    	}
    	var claims map[string]any
    	if err := json.NewDecoder(response.Body).Decode(&claims); err != nil {
    		return nil, err
    	}
    	if active, _ := claims["active"].(bool); !active || !isFor(claims["aud"]) {
    		return nil, nil
    	}
    	return claims, nil
    }

    func isFor(audience any) bool {
    	if several, ok := audience.([]any); ok {
    		return slices.Contains(several, any(api))
    	}
    	return audience == api
    }
  `;
  return joined('\n', head, checking(facts), claimsOf);
}
