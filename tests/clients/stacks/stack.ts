import type { WebApp } from '../web-app.ts';

/** How the tests start the app of a stack's recipe, and what is asked of it. */
export type Stack = {
  /** Starts the app at this server. Null if the stack cannot be had. */
  start: ((issuer: string) => Promise<WebApp>) | null;
  /** A page for which the app asks this server who is signed in now. */
  asks?: string;
  /** What the app says of a denial, if it is the library that says so. */
  denied?: string;
  /** It keeps no ID token, so this server asks once more when somebody signs out. */
  isAskedAtSignOut?: true;
  /** The library sends no PKCE, although the recipe has it do so, for this reason. */
  withoutPkce?: string;
};
