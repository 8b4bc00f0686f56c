import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { python, shell } from '../text.ts';

export const fastapi = recipe({
  id: 'fastapi',
  name: 'FastAPI with Authlib',
  mark: 'fastapi',
  kind: 'stack',
  summary: 'Python',
  names: 'python, starlette, litestar, uvicorn, async python',
  questions: { address: appAddress('http://localhost:8000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the libraries and write the file.',
    'Run it and open the app’s address.',
    'Key your accounts on claims["sub"]. After person_of(request), person["tokens"]["access_token"] is live.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'In your environment',
      ...shell`
        pip install Authlib fastapi httpx itsdangerous uvicorn
        uvicorn app:app --port ${new URL(address).port || '8000'}
      `,
    },
    {
      title: 'app.py',
      ...python`
        import secrets
        from asyncio import Lock
        from html import escape
        from logging import getLogger
        from time import time
        from urllib.parse import urlencode

        import httpx
        from authlib.integrations.base_client import OAuthError
        from authlib.integrations.starlette_client import OAuth
        from fastapi import FastAPI, Request
        from fastapi.responses import HTMLResponse, RedirectResponse
        from starlette.middleware.sessions import SessionMiddleware

        app = FastAPI()
        # A key from your configuration keeps people signed in through a restart.
        app.add_middleware(SessionMiddleware, secret_key=secrets.token_hex(32))

        gatehouse = OAuth().register(
            "gatehouse",
            server_metadata_url=${server.discovery},
            client_id=${clientId},
            client_secret=${clientSecret},
            client_kwargs={
                "scope": "openid profile email offline_access",
                "code_challenge_method": "S256",
            },
        )

        # Who is signed in. In memory: a database keeps them through a restart.
        people = {}


        async def person_of(request):
            """Who is signed in, here and at Gatehouse still: the renewal of a token finds out."""
            person = people.get(request.session.get("id"))
            if person is None:
                return None
            # One renewal at a time, for all who wait for it.
            async with person["lock"]:
                tokens = person["tokens"]
                if tokens["expires_at"] < time() + 30:
                    renewed = await gatehouse.fetch_access_token(
                        grant_type="refresh_token", refresh_token=tokens["refresh_token"]
                    )
                    tokens.update(renewed)
            return person


        @app.exception_handler(OAuthError)
        @app.exception_handler(httpx.HTTPError)
        async def refused(request: Request, failure):
            """Only these two say that the sign-in is over. Others pass, or are mended in the set-up."""
            answer = getattr(failure, "response", None)
            is_over = getattr(failure, "error", "") == "invalid_grant"
            if is_over or (answer is not None and answer.status_code == 401):
                people.pop(request.session.get("id"), None)
                return HTMLResponse('Your sign-in has ended. <a href="/login">Sign in again</a>', 401)
            getLogger("uvicorn.error").error(failure)
            words = 'That didn’t work. Try again in a minute, or <a href="/login">sign in again</a>.'
            return HTMLResponse(words, 503)


        @app.get("/login")
        async def login(request: Request):
            return await gatehouse.authorize_redirect(request, ${redirectUri})


        @app.get("/callback")
        async def callback(request: Request):
            try:
                tokens = await gatehouse.authorize_access_token(request)
            except OAuthError as refusal:
                if refusal.error == "access_denied":
                    return HTMLResponse('You said no. <a href="/login">Try again</a>')
                return HTMLResponse(f"The sign-in failed: {escape(str(refusal.description))}", 400)
            request.session.clear()
            request.session["id"] = secrets.token_hex(16)
            claims = tokens["userinfo"]
            people[request.session["id"]] = {"claims": claims, "tokens": tokens, "lock": Lock()}
            return RedirectResponse("/", 303)


        @app.get("/")
        async def home(request: Request):
            person = await person_of(request)
            if person is None:
                return HTMLResponse('<a href="/login">Sign in</a>')
            return HTMLResponse(
                f"<p>Signed in as {escape(person['claims']['preferred_username'])}</p>"
                '<form method="post" action="/logout"><button>Sign out</button></form>'
            )


        @app.get("/me")
        async def me(request: Request):
            """What the server says of the person now."""
            person = await person_of(request)
            if person is None:
                return RedirectResponse("/login")
            headers = {"Authorization": "Bearer " + person["tokens"]["access_token"]}
            async with httpx.AsyncClient() as client:
                answer = await client.get(${server.userinfo}, headers=headers)
            answer.raise_for_status()
            return answer.json()


        @app.post("/logout")
        async def logout(request: Request):
            """Out of this app, then out of Gatehouse."""
            query = {"post_logout_redirect_uri": ${`${address}/`}}
            person = people.pop(request.session.get("id"), None)
            request.session.clear()
            if person:
                query["id_token_hint"] = person["tokens"]["id_token"]
            return RedirectResponse(${server.logout} + "?" + urlencode(query), 303)
      `,
    },
  ],
  trap: 'SessionMiddleware needs itsdangerous, and a secret_key that’s the same in all processes; without it every answer comes to a browser that “didn’t start that”.',
  source: {
    version: 'Authlib 1.9.9, FastAPI 0.165.0',
    pages: ['Authlib documentation: FastAPI OAuth Client', 'Starlette documentation: Middleware'],
    notChecked: [],
  },
  checked: 'run',
});
