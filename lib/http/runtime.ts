/** Below /admin: Home, search, lists, what a row of them opens, and forms that show nothing while they are filled in. */
const plain = [
  /^(?:search|clients|(?:traces|audit)(?:\/[^/]+)?|approvals(?:\/matrix)?)?$/,
  /^people(?:\/batches|\/many\/[^/]+|\/import(?:\/[^/]+)?|\/[^/]+\/leave)?$/,
  /^(?:groups|apis|fields)(?:\/[^/]+){0,2}$/,
  /^scopes$/,
  /^settings(?:\/(?:keys|general|permissions|security|sign-in))?$/,
];

/**
 * Whether a page needs React in the browser: those of the dashboard with forms of their own, and those
 * for an app's developers. All others are sent without (`withoutRuntime`).
 */
export function needsRuntime(path: string): boolean {
  if (/^\/account\/developer(?:\/|$)/.test(path)) return true;
  const inside = /^\/admin(?:\/(.*))?$/.exec(path);
  return inside !== null && !plain.some((pattern) => pattern.test(inside[1] ?? ''));
}
