import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { html, python, shell } from '../text.ts';

export const djangoAllauth = recipe({
  id: 'django-allauth',
  name: 'Django with allauth',
  mark: 'django',
  kind: 'stack',
  summary: 'Python',
  names: 'python, django',
  questions: { address: appAddress('http://localhost:8000') },
  client: { ...webClient, authentication: 'post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/accounts/oidc/gatehouse/login/callback/`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the library, write gatehouse.py beside manage.py, and add the lines to the end of settings.py and urls.py.',
    'Put the two buttons into a template.',
    'Run the migrations (python manage.py migrate), start the site and press the button.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: 'In your environment',
      ...shell`
        pip install 'django-allauth[socialaccount]'
      `,
    },
    {
      title: 'gatehouse.py',
      ...python`
        from time import time
        from urllib.parse import urlencode

        import requests
        from allauth.account.adapter import DefaultAccountAdapter
        from allauth.account.signals import user_logged_in
        from django.contrib.auth import logout
        from django.dispatch import receiver


        class Adapter(DefaultAccountAdapter):
            def get_logout_redirect_url(self, request):
                """Out of the site, then out of Gatehouse, which asks once more."""
                query = {
                    "client_id": ${clientId},
                    "post_logout_redirect_uri": ${`${address}/`},
                }
                return ${server.logout} + "?" + urlencode(query)


        @receiver(user_logged_in)
        def keep(request, sociallogin=None, **_):
            """What finds out later whether the person is still allowed in."""
            if sociallogin and sociallogin.token:
                token = sociallogin.token
                kept = {"refresh": token.token_secret, "due": token.expires_at.timestamp()}
                request.session["gatehouse"] = kept


        def still_here(get_response):
            """Renews the token when it has expired. Whoever's sign-in has ended is signed out here, too."""

            def middleware(request):
                kept = request.session.get("gatehouse")
                if kept and kept["due"] < time() + 30:
                    answer = renewal(kept["refresh"])
                    if answer.get("error") == "invalid_grant":
                        logout(request)
                    elif "access_token" in answer:
                        due = time() + answer["expires_in"]
                        request.session["gatehouse"] = {"refresh": answer["refresh_token"], "due": due}
                return get_response(request)

            return middleware


        def renewal(refresh_token):
            """The answer to a refresh token. Empty while the server is away: the next request asks again."""
            query = {"grant_type": "refresh_token", "refresh_token": refresh_token}
            try:
                return requests.post(
                    ${server.token}, query, auth=(${clientId}, ${clientSecret}), timeout=10
                ).json()
            except requests.RequestException:
                return {}
      `,
    },
    {
      title: 'settings.py, at the end',
      ...python`
        INSTALLED_APPS += [
            "allauth",
            "allauth.account",
            "allauth.socialaccount",
            "allauth.socialaccount.providers.openid_connect",
        ]
        MIDDLEWARE += ["allauth.account.middleware.AccountMiddleware", "gatehouse.still_here"]
        AUTHENTICATION_BACKENDS = [
            "django.contrib.auth.backends.ModelBackend",
            "allauth.account.auth_backends.AuthenticationBackend",
        ]
        SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {
                "OAUTH_PKCE_ENABLED": True,
                "APPS": [
                    {
                        "provider_id": "gatehouse",
                        "name": "Gatehouse",
                        "client_id": ${clientId},
                        "secret": ${clientSecret},
                        "settings": {"server_url": ${server.issuer}},
                    }
                ],
            }
        }
        ACCOUNT_ADAPTER = "gatehouse.Adapter"
        LOGIN_REDIRECT_URL = "/"
      `,
    },
    {
      title: 'urls.py, at the end',
      ...python`
        from django.urls import include

        urlpatterns += [path("accounts/", include("allauth.urls"))]
      `,
    },
    {
      title: 'In a template',
      ...html`
        {% load socialaccount %}
        {% if user.is_authenticated %}
          <p>Signed in as {{ user.email }}</p>
          <form method="post" action="{% url 'account_logout' %}">
            {% csrf_token %}<button>Sign out</button>
          </form>
        {% else %}
          <form method="post" action="{% provider_login_url 'gatehouse' %}">
            {% csrf_token %}<button>Sign in</button>
          </form>
        {% endif %}
      `,
    },
  ],
  trap: 'At the first sign-in, allauth emails anyone whose address isn’t confirmed here: while Django has no mail server, that ends in an error.',
  source: {
    version: 'django-allauth 65.21.1, Django 5.2',
    pages: ['django-allauth documentation: OpenID Connect'],
    notChecked: [],
  },
  checked: 'run',
});
