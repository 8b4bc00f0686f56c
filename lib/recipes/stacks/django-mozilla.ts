import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { python, shell } from '../text.ts';

export const djangoMozilla = recipe({
  id: 'django-mozilla',
  name: 'Django with mozilla-django-oidc',
  kind: 'stack',
  summary: 'Python',
  questions: { address: appAddress('http://localhost:8000') },
  client: { ...webClient, authentication: 'post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/oidc/callback/`],
  steps: [
    'Install the library and add the lines to the end of both files.',
    'Run the migrations, start the site and open /oidc/authenticate/.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'In your environment',
      ...shell`
        pip install mozilla-django-oidc
      `,
    },
    {
      title: 'settings.py, at the end',
      ...python`
        INSTALLED_APPS += ["mozilla_django_oidc"]
        AUTHENTICATION_BACKENDS = [
            "django.contrib.auth.backends.ModelBackend",
            "mozilla_django_oidc.auth.OIDCAuthenticationBackend",
        ]
        OIDC_RP_CLIENT_ID = ${clientId}
        OIDC_RP_CLIENT_SECRET = ${clientSecret}
        OIDC_RP_SCOPES = "openid profile email"
        OIDC_RP_SIGN_ALGO = "RS256"
        OIDC_OP_JWKS_ENDPOINT = ${server.jwks}
        OIDC_OP_AUTHORIZATION_ENDPOINT = ${server.authorize}
        OIDC_OP_TOKEN_ENDPOINT = ${server.token}
        OIDC_OP_USER_ENDPOINT = ${server.userinfo}
        OIDC_USE_PKCE = True
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
