/** Lists of the dashboard, and what one row of them opens: tables of links and plain forms. */
const plainLists =
  /^\/admin\/(?:people|clients|groups|apis|scopes|fields|approvals|(?:traces|audit)(?:\/[^/]+)?|settings\/keys)$/;

/**
 * Whether a page needs React in the browser: those of the dashboard that are no lists, and those for
 * an app's developers. All others are sent without (`withoutRuntime`).
 */
export function needsRuntime(path: string): boolean {
  return /^\/(admin|account\/developer)(\/|$)/.test(path) && !plainLists.test(path);
}
