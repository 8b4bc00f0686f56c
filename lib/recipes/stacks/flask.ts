import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { python, shell } from '../text.ts';

export const flask = recipe({
  id: 'flask',
  name: 'Flask with Authlib',
  kind: 'stack',
  summary: 'Python',
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

        from authlib.integrations.flask_client import OAuth
        from flask import Flask, redirect, session

        app = Flask(__name__)
        # One from your configuration keeps people signed in through a restart.
        app.secret_key = secrets.token_hex(32)

        oauth = OAuth(app)
        oauth.register(
            "gatehouse",
            server_metadata_url=${server.discovery},
            client_id=${clientId},
            client_secret=${clientSecret},
            client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
        )


        @app.route("/login")
        def login():
            return oauth.gatehouse.authorize_redirect(${redirectUri})


        @app.route("/callback")
        def callback():
            token = oauth.gatehouse.authorize_access_token()
            session["user"] = token["userinfo"]
            return redirect("/")


        @app.route("/")
        def home():
            if "user" not in session:
                return '<a href="/login">Sign in</a>'
            return dict(session["user"])
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
