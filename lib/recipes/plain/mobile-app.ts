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
    'Add AppAuth to the app. On iOS, register the scheme under CFBundleURLSchemes; on Android, the first block does.',
    'Write the file. AppAuth sends PKCE, checks state, and renews one token at a time.',
    'Call signIn from a button. Key your accounts on sub of the ID token, and call withToken before each request to your API: it renews the token if it has to.',
    'On Android, keep the tokens out of backups: android:allowBackup="false", or a rule for gatehouse.xml.',
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
      title: 'Android: Gatehouse.kt',
      ...kotlin`
        import android.content.Context
        import android.net.Uri
        import androidx.activity.ComponentActivity
        import androidx.activity.result.contract.ActivityResultContracts.StartActivityForResult
        import net.openid.appauth.*
        import net.openid.appauth.AuthorizationException.*

        /** Who is signed in. Make it in onCreate; show is told of every change, with a note. */
        class Gatehouse(activity: ComponentActivity, private val show: (isSignedIn: Boolean, note: String) -> Unit) {
            private val redirectUri = Uri.parse(${redirectUri})
            private val service = AuthorizationService(activity)
            // Private to this app.
            private val kept = activity.getSharedPreferences("gatehouse", Context.MODE_PRIVATE)
            private var state = kept.getString("state", null)?.let(AuthState::jsonDeserialize) ?: AuthState()

            private val signingIn = activity.registerForActivityResult(StartActivityForResult()) { result ->
                val answer = result.data?.let(AuthorizationResponse::fromIntent)
                val refusal = result.data?.let(AuthorizationException::fromIntent)
                if (answer == null) return@registerForActivityResult tell(refusal)
                state = AuthState(answer, refusal)
                service.performTokenRequest(answer.createTokenExchangeRequest()) { tokens, failure ->
                    state.update(tokens, failure)
                    keep()
                    tell(failure)
                }
            }
            private val signingOut = activity.registerForActivityResult(StartActivityForResult()) { tell(null) }

            init { tell(null) }

            fun signIn() {
                AuthorizationServiceConfiguration.fetchFromIssuer(Uri.parse(${server.issuer})) { configuration, failure ->
                    if (configuration == null) return@fetchFromIssuer tell(failure)
                    val request = AuthorizationRequest.Builder(
                        configuration, ${clientId}, ResponseTypeValues.CODE, redirectUri,
                    ).setScope("openid profile email offline_access").build()
                    signingIn.launch(service.getAuthorizationRequestIntent(request))
                }
            }

            /** Gives a live access token to use, or none: then show has been told why. */
            fun withToken(use: (accessToken: String?) -> Unit) {
                state.performActionWithFreshTokens(service) { accessToken, _, failure ->
                    // Only this says that the sign-in is over. Others pass.
                    if (failure == TokenRequestErrors.INVALID_GRANT) state = AuthState()
                    keep()
                    if (failure != null) tell(failure)
                    use(accessToken)
                }
            }

            /** Out of this app, then out of Gatehouse. */
            fun signOut() {
                val (configuration, idToken) = state.authorizationServiceConfiguration to state.idToken
                state = AuthState()
                keep()
                if (configuration == null) return tell(null)
                val request = EndSessionRequest.Builder(configuration)
                    .setIdTokenHint(idToken).setPostLogoutRedirectUri(redirectUri).build()
                signingOut.launch(service.getEndSessionRequestIntent(request))
            }

            private fun keep() = kept.edit().putString("state", state.jsonSerializeString()).apply()

            private fun tell(failure: AuthorizationException?) = show(state.isAuthorized, when (failure) {
                null -> ""
                AuthorizationRequestErrors.ACCESS_DENIED, GeneralErrors.USER_CANCELED_AUTH_FLOW -> "You said no. Try again."
                TokenRequestErrors.INVALID_GRANT -> "Your sign-in has ended. Sign in again."
                else -> "That didn’t work. Try again in a minute."
            })
        }
      `,
    },
    {
      title: 'iOS: Gatehouse.swift',
      ...swift`
        import AppAuth
        import Security
        import UIKit

        /** Who is signed in. show is told of every change, with a note. */
        final class Gatehouse {
            private let redirectURL = URL(string: ${redirectUri})!
            private let show: (_ isSignedIn: Bool, _ note: String) -> Void
            private var flow: OIDExternalUserAgentSession?
            private var state: OIDAuthState? { didSet { keep() } }

            init(show: @escaping (Bool, String) -> Void) {
                self.show = show
                var found: CFTypeRef?
                let asked = place.merging([kSecReturnData as String: true]) { $1 }
                if SecItemCopyMatching(asked as CFDictionary, &found) == errSecSuccess, let data = found as? Data {
                    state = try? NSKeyedUnarchiver.unarchivedObject(ofClass: OIDAuthState.self, from: data)
                }
                tell(nil)
            }

            func signIn(from controller: UIViewController) {
                OIDAuthorizationService.discoverConfiguration(forIssuer: URL(string: ${server.issuer})!) { configuration, failure in
                    guard let configuration else { return self.tell(failure) }
                    let request = OIDAuthorizationRequest(
                        configuration: configuration,
                        clientId: ${clientId},
                        scopes: [OIDScopeOpenID, OIDScopeProfile, "email", "offline_access"],
                        redirectURL: self.redirectURL,
                        responseType: OIDResponseTypeCode,
                        additionalParameters: nil
                    )
                    self.flow = OIDAuthState.authState(byPresenting: request, presenting: controller) { state, failure in
                        if let state { self.state = state }
                        self.tell(failure)
                    }
                }
            }

            /** Gives a live access token to use, or none: then show has been told why. */
            func withToken(_ use: @escaping (_ accessToken: String?) -> Void) {
                guard let state else { return use(nil) }
                state.performAction { accessToken, _, failure in
                    // Only this says that the sign-in is over. Others pass.
                    self.state = isOver(failure) ? nil : state
                    if failure != nil { self.tell(failure) }
                    use(failure == nil ? accessToken : nil)
                }
            }

            /** Out of this app, then out of Gatehouse. */
            func signOut(from controller: UIViewController) {
                guard let last = state, let idToken = last.lastTokenResponse?.idToken,
                      let agent = OIDExternalUserAgentIOS(presenting: controller) else { return }
                state = nil
                let request = OIDEndSessionRequest(
                    configuration: last.lastAuthorizationResponse.request.configuration,
                    idTokenHint: idToken,
                    postLogoutRedirectURL: redirectURL,
                    additionalParameters: nil
                )
                flow = OIDAuthorizationService.present(request, externalUserAgent: agent) { _, _ in self.tell(nil) }
            }

            private func tell(_ failure: Error?) {
                show(state != nil, failure == nil ? "" : saidNo(failure) ? "You said no. Try again."
                    : isOver(failure) ? "Your sign-in has ended. Sign in again." : "That didn’t work. Try again in a minute.")
            }

            /** In the keychain of this device: it goes into no backup. */
            private var place: [String: Any] {
                [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "gatehouse"]
            }

            private func keep() {
                SecItemDelete(place as CFDictionary)
                guard let state, let data = try? NSKeyedArchiver.archivedData(withRootObject: state, requiringSecureCoding: true) else { return }
                let protection = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                let item = [kSecValueData as String: data, kSecAttrAccessible as String: protection] as [String: Any]
                SecItemAdd(place.merging(item) { $1 } as CFDictionary, nil)
            }
        }

        private func isOver(_ failure: Error?) -> Bool {
            let failure = failure as NSError?
            return failure?.domain == OIDOAuthTokenErrorDomain && failure?.code == OIDErrorCodeOAuthToken.invalidGrant.rawValue
        }

        private func saidNo(_ failure: Error?) -> Bool {
            let failure = failure as NSError?
            return failure?.domain == OIDOAuthAuthorizationErrorDomain && failure?.code == OIDErrorCodeOAuthAuthorization.accessDenied.rawValue
                || failure?.domain == OIDGeneralErrorDomain && failure?.code == OIDErrorCode.userCanceledAuthorizationFlow.rawValue
        }
      `,
    },
  ],
  trap: 'The redirect URI here has one slash after the colon. com.example.app:// is a different address.',
  source: {
    version: 'AppAuth for Android 0.11.1, AppAuth for iOS 1.7',
    pages: [
      'AppAuth-Android: README, AuthState, EndSessionRequest',
      'AppAuth-iOS: README, OIDAuthState, OIDEndSessionRequest',
    ],
    notChecked: ['Both texts on a device.'],
  },
  checked: 'documentation',
});
