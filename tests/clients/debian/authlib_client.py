"""Signs in with Authlib: metadata, PKCE, ID token, user information, refresh, revocation.

Prints the address the browser has to open, reads the one it came back to, prints what it has learned.
"""

import json
import os
import sys

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.common.security import generate_token
from authlib.oidc.core import CodeIDToken

issuer = os.environ["ISSUER"]
metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=20).json()
session = OAuth2Session(
    os.environ["CLIENT_ID"],
    os.environ["CLIENT_SECRET"],
    scope="openid profile email",
    redirect_uri=os.environ["REDIRECT_URI"],
    code_challenge_method="S256",
    token_endpoint_auth_method=os.environ.get("AUTH_METHOD", "client_secret_basic"),
    revocation_endpoint_auth_method="client_secret_post",
)
verifier, nonce = generate_token(48), generate_token()
url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
print(url, flush=True)

back = sys.stdin.readline().strip()
token = session.fetch_token(
    metadata["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier
)
keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"], timeout=20).json())
claims = jwt.decode(
    token["id_token"],
    keys,
    claims_cls=CodeIDToken,
    claims_options={"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": session.client_id}},
    claims_params={"nonce": nonce, "access_token": token["access_token"], "client_id": session.client_id},
)
claims.validate(leeway=5)
info = session.get(metadata["userinfo_endpoint"]).json()
renewed = session.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
revoked = session.revoke_token(metadata["revocation_endpoint"], token=renewed["refresh_token"])
after = session.get(metadata["userinfo_endpoint"])
print(json.dumps({"sub": claims["sub"], "username": info["username"], "revoked": revoked.status_code, "after": after.status_code}))
