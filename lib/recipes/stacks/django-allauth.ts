import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { python, shell } from '../text.ts';

export const djangoAllauth = recipe({
  id: 'django-allauth',
  name: 'Django with allauth',
  kind: 'stack',
  summary: 'Python',
  questions: { address: appAddress('http://localhost:8000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/accounts/oidc/gatehouse/login/callback/`],
  steps: [
    'Install the library and add the lines to the end of both files.',
    'Run the migrations, start the site and open /accounts/login/.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    {
      title: 'In your environment',
      ...shell`
        pip install 'django-allauth[socialaccount]'
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
        MIDDLEWARE += ["allauth.account.middleware.AccountMiddleware"]
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
  ],
  trap: 'At the first sign-in, allauth emails anyone whose address isn’t confirmed here: while Django has no mail server, that ends in an error.',
  source: {
    version: 'django-allauth 65.21.1, Django 5.2',
    pages: ['django-allauth documentation: OpenID Connect'],
    notChecked: [],
  },
  checked: 'run',
});
