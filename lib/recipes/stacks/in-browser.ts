import type { Filling } from '../recipe.ts';
import { javascript, onlyIf, type Text, typescript } from '../text.ts';

/** The file with which every app in the browser signs people in: `oidc-client-ts` does the work. */
export function inBrowser(
  language: 'javascript' | 'typescript',
  { server, clientId, redirectUri }: Filling,
  home: string,
): Text {
  const isTyped = language === 'typescript';
  const [tag, any] = [isTyped ? typescript : javascript, onlyIf(isTyped, ': any')];
  const show = onlyIf(isTyped, ': (user: User | null, note: string) => void');
  return tag`
    import { ${onlyIf(isTyped, 'type User, ')}UserManager } from 'oidc-client-ts';

    const manager = new UserManager({
      authority: ${server.issuer},
      client_id: ${clientId},
      redirect_uri: ${redirectUri},
      post_logout_redirect_uri: ${home},
      scope: 'openid profile email offline_access',
    });

    export const signIn = () => manager.signinRedirect();
    export const signOut = () => manager.signoutRedirect();

    /** Calls show with who is signed in, or null, and a note: now, and whenever that changes. */
    export async function onUser(show${show}) {
      let note = '';
      const tell = async () => {
        const user = await manager.getUser();
        show(user && !user.expired ? user : null, note);
      };
      // Only the server’s word ends a sign-in. Whatever else goes wrong, a reload tries again.
      const notRenewed = async (error${any}) => {
        note = 'That didn’t work. Reload the page in a minute.';
        if (error.error === 'invalid_grant') {
          note = 'Your sign-in has ended. Sign in again.';
          await manager.removeUser();
        }
        await tell();
      };

      // Back from signing in: the answer is in the address.
      if (new URLSearchParams(location.search).has('state')) {
        await manager.signinCallback().catch((error) => {
          note = error.error === 'access_denied' ? 'You said no. Try again.' : error.message;
        });
        history.replaceState({}, '', '/');
      }
      // While the page is open, the library renews the access token by itself.
      manager.events.addSilentRenewError(notRenewed);
      const found = await manager.getUser();
      if (found?.expired) await manager.signinSilent().catch(notRenewed);
      await tell();
    }
  `;
}

/** What goes wrong most often with an app that runs in the browser. */
export const trapInBrowser =
  'On localhost, people are asked for consent every time, because any program on the machine could pose as the app. With https they’re asked once.';
