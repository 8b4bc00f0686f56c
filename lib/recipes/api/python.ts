import { joined, python, type Text } from '../text.ts';
import type { CheckerFacts } from './checker-facts.ts';

const checking = ({ challenge, acrs }: CheckerFacts) => python`
  CHALLENGE = ${challenge}


  def check(authorization, scope=""):
      """Checks the Authorization header of a request that needs a scope.

      Gives a status, the claims, and a challenge. Unless the status is 200, answer with it, and
      with the challenge in the header WWW-Authenticate.
      """
      found = re.fullmatch(r"(?i:Bearer) +([\w.~+/-]+=*)", authorization or "", re.ASCII)
      if not found:
          return 401, None, CHALLENGE
      claims = claims_of(found[1])
      # One that is bound to a key (RFC 9449) is no bearer token.
      if claims is None or "cnf" in claims:
          return 401, None, CHALLENGE + ', error="invalid_token"'
      if scope and scope not in claims.get("scope", "").split(" "):
          return 403, None, CHALLENGE + ', error="insufficient_scope"'
      return 200, claims, None


  # Strengths of a sign-in, the weakest first: one step, two steps, a passkey.
  STRENGTHS = ${acrs}.split(" ")


  def step_up(claims, acr, max_age=None):
      """The challenge to answer with, and 401, where a request needs a stronger or a newer sign-in
      than that of its token (RFC 9470), or None if it will do. The app asks its user for that, and
      comes again. max_age is in seconds.
      """
      has = STRENGTHS.index(claims["acr"]) if claims.get("acr") in STRENGTHS else -1
      age = time.time() - claims.get("auth_time", 0)
      if acr in STRENGTHS and has >= STRENGTHS.index(acr) and (max_age is None or age <= max_age):
          return None
      wanted = ', acr_values="%s"' % acr + ("" if max_age is None else ', max_age="%d"' % max_age)
      return CHALLENGE + ', error="insufficient_user_authentication"' + wanted
`;

/** Checks JWTs with the server's keys, without asking the server each time. */
export function pythonForJwt(facts: CheckerFacts): Text {
  const head = python`
    import re
    import time

    import jwt

    ISSUER = ${facts.issuer}
    API = ${facts.identifier}
    KEYS = jwt.PyJWKClient(${facts.jwks})
  `;
  const claimsOf = python`
    def claims_of(token):
        """What the token says, or None if it is not one for this API (RFC 9068 section 4)."""
        try:
            whole = jwt.decode_complete(
                token,
                KEYS.get_signing_key_from_jwt(token),
                algorithms=["RS256", "ES256"],
                issuer=ISSUER,
                audience=API,
                options={"require": ["exp", "sub", "client_id"]},
            )
        except jwt.exceptions.PyJWKClientConnectionError:
            # That the keys cannot be had says nothing about the token.
            raise
        except jwt.PyJWTError:
            return None
        # An ID token is no access token: its audience is an app, and it has no client_id.
        if whole["header"].get("typ", "").lower().removeprefix("application/") != ${facts.typ}.lower():
            return None
        return whole["payload"]
  `;
  return joined('\n\n', joined('\n', head, checking(facts)), claimsOf);
}

/** Asks the server about each token. */
export function pythonForOpaque(facts: CheckerFacts): Text {
  const head = python`
    import base64
    import json
    import os
    import re
    import time
    import urllib.parse
    import urllib.request

    API = ${facts.identifier}
    # Those of the app that is this API, as its page says.
    CREDENTIALS = os.environ["API_CLIENT_ID"] + ":" + os.environ["API_CLIENT_SECRET"]
  `;
  const claimsOf = python`
    def claims_of(token):
        """What the server says of the token, or None if it is not a live one for this API (RFC 7662)."""
        basic = base64.b64encode(CREDENTIALS.encode()).decode()
        request = urllib.request.Request(
            ${facts.introspect},
            data=urllib.parse.urlencode({"token": token}).encode(),
            headers={"Authorization": "Basic " + basic},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            claims = json.load(answer)
        audience = claims.get("aud", [])
        named = [audience] if isinstance(audience, str) else audience
        return claims if claims["active"] and API in named else None
  `;
  return joined('\n\n', joined('\n', head, checking(facts)), claimsOf);
}
