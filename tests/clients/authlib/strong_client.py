"""An Authlib client that authenticates with a key (private_key_jwt), never with a
secret.

Authlib supports neither pushed requests nor DPoP, so it pushes its request by hand,
with Authlib's own client assertion. Prints the address the browser has to open,
reads the one it came back to, prints what it has learned.
"""

import json
import os
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet, import_key

issuer, client_id, redirect_uri = (os.environ[name] for name in ("ISSUER", "CLIENT_ID", "REDIRECT_URI"))
metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=20).json()

session = OAuth2Session(
    client_id,
    import_key(json.loads(os.environ["KEY"])),
    redirect_uri=redirect_uri,
    token_endpoint_auth_method="private_key_jwt",
    revocation_endpoint_auth_method="private_key_jwt",
)
# The first argument is the audience: the issuer, not the address of the endpoint.
session.register_client_auth_method(PrivateKeyJWT(issuer, alg=os.environ["ALG"]))

verifier, nonce, state = generate_token(48), generate_token(), generate_token()
pushed = session.post(
    metadata["pushed_authorization_request_endpoint"],
    data={
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "scope": "openid profile",
        "state": state,
        "nonce": nonce,
        "code_challenge": create_s256_code_challenge(verifier),
        "code_challenge_method": "S256",
    },
    withhold_token=True,
    auth=session.client_auth("private_key_jwt"),
)
pushed.raise_for_status()
asked = requests.Request(
    "GET",
    metadata["authorization_endpoint"],
    params={"client_id": client_id, "request_uri": pushed.json()["request_uri"]},
)
print(asked.prepare().url, flush=True)

back = sys.stdin.readline().strip()
token = session.fetch_token(
    metadata["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier
)
keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=20).json())
read = jwt.decode(token["id_token"], keys)
claims = CodeIDToken(
    read.claims,
    read.header,
    {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client_id}},
    {"nonce": nonce, "access_token": token["access_token"], "client_id": client_id},
)
claims.validate(leeway=5)
info = session.get(metadata["userinfo_endpoint"]).json()
renewed = session.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
known = session.introspect_token(metadata["introspection_endpoint"], token=renewed["access_token"])
revoked = session.revoke_token(metadata["revocation_endpoint"], token=renewed["refresh_token"])
after = session.introspect_token(metadata["introspection_endpoint"], token=renewed["access_token"])
told = {
    "sub": claims["sub"],
    "userinfo": info["sub"],
    "active": known.json()["active"],
    "revoked": revoked.status_code,
    "after": after.json()["active"],
}
print(json.dumps(told))
