"""Authlib at either end of cross-app access
(draft-ietf-oauth-identity-assertion-authz-grant).

`sign` makes a provider's assertion about a person; `receive` is the server that
accepts such assertions, in Flask.
"""

import json
import os
import sys

import requests
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.drafts.id_jag import IDJAGGrant
from flask import Flask
from joserfc.jwk import KeySet, import_key

issuer, audience, client_id = (os.environ[name] for name in ("ISSUER", "AUDIENCE", "CLIENT_ID"))


class Client:
    def get_client_id(self):
        return client_id

    def check_client_secret(self, secret):
        return secret == "there"

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "client_secret_basic"

    def check_grant_type(self, grant_type):
        return grant_type == IDJAGGrant.GRANT_TYPE

    def get_allowed_scope(self, scope):
        return scope


class Grant(IDJAGGrant):
    used = set()

    def get_audiences(self):
        return [audience]

    def resolve_issuer_key(self, said, headers):
        metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=20).json()
        assert said == metadata["issuer"], said
        return KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=20).json())

    def authenticate_user(self, subject):
        return subject

    def check_jti(self, claims, jti):
        new = jti not in self.used
        self.used.add(jti)
        return new

    def check_id_jag_permission(self, client, user, scopes):
        return True


def receive(assertions):
    app, given = Flask("there"), []
    server = AuthorizationServer(
        app,
        query_client=lambda name: Client() if name == client_id else None,
        save_token=lambda token, request: given.append({"sub": request.user, "scope": token["scope"]}),
    )
    server.register_grant(Grant)
    app.post("/token")(server.create_token_response)
    browser = app.test_client()
    for assertion in assertions:
        form = {"grant_type": Grant.GRANT_TYPE, "assertion": assertion}
        answer = browser.post("/token", data=form, auth=(client_id, "there"))
        if answer.status_code != 200:
            given.append({"error": answer.json["error"]})
    return {"given": given}


def sign():
    key = import_key(json.loads(os.environ["KEY"]))
    said = {"alg": os.environ["ALG"], "header": {"kid": key.kid}, "expires_in": 300}
    claims = json.loads(os.environ["CLAIMS"])
    return {"assertion": Grant.sign(key, issuer, audience, os.environ["SUB"], client_id, claims=claims, **said)}


os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
print(json.dumps(receive(json.loads(os.environ["ASSERTIONS"])) if sys.argv[1] == "receive" else sign()))
