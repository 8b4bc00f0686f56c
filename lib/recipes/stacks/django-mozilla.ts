import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { html, python, shell } from '../text.ts';

export const djangoMozilla = recipe({
  id: 'django-mozilla',
  name: 'Django with mozilla-django-oidc',
  mark: 'django',
  kind: 'stack',
  summary: 'Python',
  names: 'python, django',
  questions: { address: appAddress('http://localhost:8000') },
  client: { ...webClient, authentication: 'post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/oidc/callback/`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the library, write gatehouse.py beside manage.py, and add the lines to the end of settings.py and urls.py.',
    'Put the two buttons into a template.',
    'Run the migrations (python manage.py migrate), start the site and press the button.',
    'Every 15 minutes the site asks, unseen, whether the person is still signed in here and still allowed in.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: 'In your environment',
      ...shell`
        pip install mozilla-django-oidc
      `,
    },
    {
      title: 'gatehouse.py',
      ...python`
        from urllib.parse import urlencode

        from django.http import HttpResponse
        from mozilla_django_oidc.auth import OIDCAuthenticationBackend
        from mozilla_django_oidc.views import OIDCAuthenticationCallbackView


        class Backend(OIDCAuthenticationBackend):
            """Accounts are found by sub. An email address can become somebody else's."""

            def filter_users_by_claims(self, claims):
                return self.UserModel.objects.filter(username=claims["sub"])

            def get_username(self, claims):
                return claims["sub"]

            def update_user(self, user, claims):
                user.email = claims["email"]
                user.save()
                return user


        class CallbackView(OIDCAuthenticationCallbackView):
            def get(self, request):
                answer = super().get(request)
                if request.GET.get("error") == "access_denied":
                    return HttpResponse('You said no. <a href="/oidc/authenticate/">Try again</a>')
                return answer


        def logout_address(request):
            """Out of the site, then out of Gatehouse."""
            if "oidc_id_token" not in request.session:
                return "/"
            query = {
                "id_token_hint": request.session["oidc_id_token"],
                "post_logout_redirect_uri": ${`${address}/`},
            }
            return ${server.logout} + "?" + urlencode(query)
      `,
    },
    {
      title: 'settings.py, at the end',
      ...python`
        INSTALLED_APPS += ["mozilla_django_oidc"]
        MIDDLEWARE += ["mozilla_django_oidc.middleware.SessionRefresh"]
        AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "gatehouse.Backend"]
        OIDC_RP_CLIENT_ID = ${clientId}
        OIDC_RP_CLIENT_SECRET = ${clientSecret}
        OIDC_RP_SCOPES = "openid profile email"
        OIDC_RP_SIGN_ALGO = "RS256"
        OIDC_OP_JWKS_ENDPOINT = ${server.jwks}
        OIDC_OP_AUTHORIZATION_ENDPOINT = ${server.authorize}
        OIDC_OP_TOKEN_ENDPOINT = ${server.token}
        OIDC_OP_USER_ENDPOINT = ${server.userinfo}
        OIDC_OP_LOGOUT_URL_METHOD = "gatehouse.logout_address"
        OIDC_CALLBACK_CLASS = "gatehouse.CallbackView"
        OIDC_STORE_ID_TOKEN = True
        OIDC_USE_PKCE = True
        LOGIN_URL = "oidc_authentication_init"
        LOGIN_REDIRECT_URL = "/"
        LOGOUT_REDIRECT_URL = "/"
      `,
    },
    {
      title: 'urls.py, at the end',
      ...python`
        from django.urls import include

        urlpatterns += [path("oidc/", include("mozilla_django_oidc.urls"))]
      `,
    },
    {
      title: 'In a template',
      ...html`
        {% if user.is_authenticated %}
          <p>Signed in as {{ user.email }}</p>
          <form method="post" action="{% url 'oidc_logout' %}">
            {% csrf_token %}<button>Sign out</button>
          </form>
        {% else %}
          <a href="{% url 'oidc_authentication_init' %}">Sign in</a>
        {% endif %}
      `,
    },
  ],
  trap: 'The library’s default is HS256. Without OIDC_RP_SIGN_ALGO = "RS256" every sign-in fails.',
  source: {
    version: 'mozilla-django-oidc 5.0.2, Django 5.2',
    pages: [
      'mozilla-django-oidc documentation: Installation',
      'mozilla-django-oidc documentation: Settings',
    ],
    notChecked: [],
  },
  checked: 'run',
});
