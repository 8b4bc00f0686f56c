"""Signs in with requests-oauthlib: plain OAuth, state, refresh.

Prints the address the browser has to open, reads the one it came back to, prints what it has learned.
"""

import json
import os
import sys

# oauthlib refuses plain http, which is what a test server on this machine speaks.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from requests.auth import HTTPBasicAuth  # noqa: E402
from requests_oauthlib import OAuth2Session  # noqa: E402

issuer = os.environ["ISSUER"]
client_id, secret = os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]
# oauthlib raises when the scope of the answer differs from the one that was asked for.
session = OAuth2Session(client_id, redirect_uri=os.environ["REDIRECT_URI"], scope=["profile", "email"])
url, state = session.authorization_url(issuer + "/oauth/authorize")
print(url, flush=True)

back = sys.stdin.readline().strip()
if os.environ.get("AUTH_METHOD") == "client_secret_post":
    token = session.fetch_token(
        issuer + "/oauth/token", authorization_response=back, client_secret=secret, include_client_id=True
    )
else:
    token = session.fetch_token(
        issuer + "/oauth/token", authorization_response=back, auth=HTTPBasicAuth(client_id, secret)
    )
info = session.get(issuer + "/oauth/me").json()
renewed = session.refresh_token(issuer + "/oauth/token", client_id=client_id, client_secret=secret)
after = session.get(issuer + "/oauth/me")
revoked = session.post(
    issuer + "/oauth/revoke",
    data={"token": renewed["refresh_token"], "client_id": client_id, "client_secret": secret},
    withhold_token=True,
)
ended = session.get(issuer + "/oauth/me")
print(
    json.dumps(
        {
            "sub": info["sub"],
            "username": info["username"],
            "renewed": after.status_code,
            "revoked": revoked.status_code,
            "after": ended.status_code,
        }
    )
)
