import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { python, shell } from '../text.ts';

export const flask = recipe({
  id: 'flask',
  name: 'Flask with Authlib',
  mark: 'flask',
  kind: 'stack',
  summary: 'Python',
  names: 'python, authlib, starlette, quart',
  questions: { address: appAddress('http://localhost:5000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: ['Install the libraries and write the file.', 'Run it and open /login.'],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'In your environment',
      ...shell`
        pip install Authlib Flask requests
        flask --app app run --port ${new URL(address).port || '5000'}
      `,
    },
    {
      title: 'app.py',
      ...python`
        import secrets
        from time import time
        from urllib.parse import urlencode

        from authlib.integrations.base_client import OAuthError
        from authlib.integrations.flask_client import OAuth
        from flask import Flask, redirect, request, session
        from markupsafe import escape
        from requests import RequestException

        app = Flask(__name__)
        # One from your configuration keeps people signed in through a restart.
        app.secret_key = secrets.token_hex(32)
        app.config["SESSION_COOKIE_SAMESITE"] = "Lax"

        # The tokens of each session. In memory: a database keeps them through a restart.
        tokens = {}


        def renewed(name, token, **old):
            tokens[session["id"]].update(token)


        oauth = OAuth(
            app, fetch_token=lambda name: tokens.get(session.get("id")), update_token=renewed
        )
        oauth.register(
            "gatehouse",
            server_metadata_url=${server.discovery},
            client_id=${clientId},
            client_secret=${clientSecret},
            client_kwargs={
                "scope": "openid profile email offline_access",
                "code_challenge_method": "S256",
            },
        )


        @app.before_request
        def still_here():
            """Whoever is signed in here is so at Gatehouse still: the renewal of a token finds out."""
            token = tokens.get(session.get("id"))
            if request.endpoint in ("home", "me") and token and token["expires_at"] < time() + 60:
                oauth.gatehouse.userinfo()


        @app.errorhandler(OAuthError)
        @app.errorhandler(RequestException)
        def refused(failure):
            """Only these two say that the sign-in is over. Others pass, or are mended in the set-up."""
            answer = getattr(failure, "response", None)
            is_over = getattr(failure, "error", "") == "invalid_grant"
            if is_over or (answer is not None and answer.status_code == 401):
                tokens.pop(session.get("id"), None)
                return 'Your sign-in has ended. <a href="/login">Sign in again</a>', 401
            app.logger.error(failure)
            return 'That didn’t work. Try again in a minute, or <a href="/login">sign in again</a>.', 503


        @app.route("/login")
        def login():
            return oauth.gatehouse.authorize_redirect(${redirectUri})


        @app.route("/callback")
        def callback():
            try:
                token = oauth.gatehouse.authorize_access_token()
            except OAuthError as refusal:
                if refusal.error == "access_denied":
                    return 'You said no. <a href="/login">Try again</a>'
                return f"The sign-in failed: {escape(refusal.description)}", 400
            session.clear()
            session["id"] = secrets.token_hex(16)
            session["user"] = token["userinfo"]
            tokens[session["id"]] = token
            return redirect("/")


        @app.route("/")
        def home():
            if session.get("id") not in tokens:
                return '<a href="/login">Sign in</a>'
            return (
                f"<p>Signed in as {escape(session['user']['preferred_username'])}</p>"
                '<form method="post" action="/logout"><button>Sign out</button></form>'
            )


        @app.route("/me")
        def me():
            """What the server says of the person now. Authlib renews the token when it has expired."""
            if session.get("id") not in tokens:
                return redirect("/login")
            return dict(oauth.gatehouse.userinfo())


        @app.route("/logout", methods=["POST"])
        def logout():
            """Out of this app, then out of Gatehouse."""
            token = tokens.pop(session.get("id"), None)
            # A page of another site posts without the cookie, and ends nothing.
            if not token:
                return redirect("/", 303)
            session.clear()
            query = {
                "id_token_hint": token["id_token"],
                "post_logout_redirect_uri": ${`${address}/`},
            }
            return redirect(${server.logout} + "?" + urlencode(query), 303)
      `,
    },
  ],
  trap: 'Authlib only sends PKCE if code_challenge_method is set. The session needs a secret_key that’s the same in all processes.',
  source: {
    version: 'Authlib 1.9.9, Flask 3.1.3',
    pages: ['Authlib documentation: Flask OAuth Client'],
    notChecked: [],
  },
  checked: 'run',
});
