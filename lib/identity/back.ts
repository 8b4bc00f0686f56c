const ownPage = /^\/(admin|account)(\/[\w.~%-]+)*(\?[\w.~%&=+-]*)?$/;

/** A page of ours that a sign-in may lead back to; undefined for anything else, so that nobody is led astray. */
export function backOf(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= 1000 && ownPage.test(text) ? text : undefined;
}

/** Where a sign-in leads by itself. */
export const whereSignInLeads = '/account';

/** Where to sign in, when a page asks for it that wants to be shown afterwards. */
export function signInAt(back: string | undefined): string {
  const page = backOf(back);
  return page && page !== whereSignInLeads ? `/login?back=${encodeURIComponent(page)}` : '/login';
}
