"""An API that checks JWT access tokens with Authlib (RFC 9068); prints the results.

Reads an access token and an ID token. ELSEWHERE is an API that neither of them is
for.
"""

import json
import os
import sys
from urllib.request import urlopen

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator

issuer = os.environ["ISSUER"]
metadata = json.load(urlopen(issuer + "/.well-known/oauth-authorization-server", timeout=20))
keys = json.load(urlopen(metadata["jwks_uri"], timeout=20))


class Validator(JWTBearerTokenValidator):
    def get_jwks(self):
        return keys


def judge(validator, text, scope):
    try:
        token = validator.authenticate_token(text)
        validator.validate_token(token, [scope], None)
        return {"sub": token["sub"], "client_id": token["client_id"]}
    except OAuth2Error as error:
        return {"error": error.error}


api = Validator(issuer=issuer, resource_server=os.environ["API"])
elsewhere = Validator(issuer=issuer, resource_server=os.environ["ELSEWHERE"])
access, id_token = sys.stdin.read().split()
print(
    json.dumps(
        {
            "good": judge(api, access, "read"),
            "scope": judge(api, access, "write"),
            "elsewhere": judge(elsewhere, access, "read"),
            "id_token": judge(api, id_token, "read"),
        }
    )
)
