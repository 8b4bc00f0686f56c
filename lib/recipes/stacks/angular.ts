import { appAddress } from '../questions.ts';
import { publicClient, recipe } from '../recipe.ts';
import { onlyIf, shell, typescript } from '../text.ts';
import { inBrowser, trapInBrowser } from './in-browser.ts';

const tick = onlyIf(true, '`');

export const angular = recipe({
  id: 'angular',
  name: 'Angular',
  kind: 'stack',
  summary: 'TypeScript, runs in the browser',
  names: 'angular-oauth2-oidc, angular-auth-oidc-client, ionic, spa, single page app',
  questions: { address: appAddress('http://localhost:4200') },
  client: publicClient,
  redirectUris: ({ address }) => [`${address}/`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'In an Angular project, install the library and write the files.',
    'Start it and open the app.',
    'user.access_token is what your API gets: an interceptor adds it to the requests for that API, and to no others.',
  ],
  blocks: ({ address }, filling) => [
    {
      title: 'In your project',
      ...shell`
        npm install oidc-client-ts@3
        npm start -- --port ${new URL(address).port || '4200'}
      `,
    },
    { title: 'src/app/gatehouse.ts', ...inBrowser('typescript', filling, `${address}/`) },
    {
      title: 'src/app/app.ts',
      ...typescript`
        import { Component, signal } from '@angular/core';
        import type { User } from 'oidc-client-ts';
        import { onUser, signIn, signOut } from './gatehouse';

        @Component({
          selector: 'app-root',
          template: ${tick}
            <p id="who">{{ user()?.profile?.preferred_username ?? 'Nobody' }}</p>
            <p id="note" role="status">{{ note() }}</p>
            @if (user()) {
              <button (click)="signOut()">Sign out</button>
            } @else {
              <button (click)="signIn()">Sign in</button>
            }
          ${tick},
        })
        export class App {
          protected readonly user = signal<User | null>(null);
          protected readonly note = signal('');
          protected readonly signIn = signIn;
          protected readonly signOut = signOut;

          constructor() {
            onUser((user, note) => {
              this.user.set(user);
              this.note.set(note);
            });
          }
        }
      `,
    },
  ],
  trap: trapInBrowser,
  source: {
    version: 'Angular 22.2.6, oidc-client-ts 3.5.0',
    pages: ['oidc-client-ts: README and API documentation', 'Angular documentation: Signals'],
    notChecked: ['The build of the Angular CLI: our tests compile the files in the browser.'],
  },
  checked: 'run',
});
