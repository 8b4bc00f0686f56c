import { publicClient, recipe } from '../recipe.ts';
import { gradle, kotlin, swift } from '../text.ts';

export const mobileApp = recipe({
  id: 'mobile-app',
  name: 'Mobile app',
  kind: 'plain',
  summary: 'Android and iOS, with AppAuth',
  names:
    'android, ios, iphone, kotlin, swift, native app, custom scheme, appauth, react native, expo, flutter, ionic, capacitor, xamarin, maui',
  questions: {
    scheme: {
      kind: 'scheme',
      label: 'What is your app’s own scheme?',
      hint: 'The redirect URI starts with it. Your own domain in reverse can’t clash with another app.',
      placeholder: 'com.example.app',
      suggestion: '',
    },
  },
  client: publicClient,
  redirectUris: ({ scheme }) => [`${scheme}:/callback`],
  postLogoutRedirectUris: ({ scheme }) => [`${scheme}:/callback`],
  homePage: () => null,
  steps: [
    'Add AppAuth to the app.',
    'Register the scheme with the system: the first block for Android, CFBundleURLSchemes for iOS.',
    'Start the sign-in with the code; AppAuth sends PKCE on its own.',
  ],
  blocks: ({ scheme }, { server, clientId, redirectUri }) => [
    {
      title: 'Android: app/build.gradle',
      ...gradle`
        android {
            defaultConfig {
                manifestPlaceholders = [appAuthRedirectScheme: ${scheme}]
            }
        }
        dependencies {
            implementation 'net.openid:appauth:0.11.1'
        }
      `,
    },
    {
      title: 'Android: where the sign-in begins',
      ...kotlin`
        AuthorizationServiceConfiguration.fetchFromIssuer(Uri.parse(${server.issuer})) { configuration, error ->
            if (configuration == null) throw error!!
            val request = AuthorizationRequest.Builder(
                configuration,
                ${clientId},
                ResponseTypeValues.CODE,
                Uri.parse(${redirectUri}),
            ).setScope("openid profile email offline_access").build()
            startActivityForResult(AuthorizationService(this).getAuthorizationRequestIntent(request), 1)
        }
      `,
    },
    {
      title: 'iOS: where the sign-in begins',
      ...swift`
        OIDAuthorizationService.discoverConfiguration(forIssuer: URL(string: ${server.issuer})!) { configuration, error in
            guard let configuration else { return print(error!) }
            let request = OIDAuthorizationRequest(
                configuration: configuration,
                clientId: ${clientId},
                scopes: [OIDScopeOpenID, OIDScopeProfile, "email", "offline_access"],
                redirectURL: URL(string: ${redirectUri})!,
                responseType: OIDResponseTypeCode,
                additionalParameters: nil
            )
            self.flow = OIDAuthState.authState(byPresenting: request, presenting: self) { state, error in
                self.authState = state
            }
        }
      `,
    },
  ],
  trap: 'The redirect URI here has one slash after the colon. com.example.app:// is a different address.',
  source: {
    version: 'AppAuth for Android 0.11.1, AppAuth for iOS 1.7',
    pages: ['AppAuth-Android: README', 'AppAuth-iOS: README'],
    notChecked: ['Both texts on a device.'],
  },
  checked: 'documentation',
});
