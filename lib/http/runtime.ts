/** Home, search and lists of the dashboard, and what a row of them opens: links, drawings and plain forms. */
const plain =
  /^\/admin(?:$|\/search$|\/(?:people(?:\/batches|\/[^/]+\/leave)?|clients|groups|apis|scopes|fields|approvals(?:\/matrix)?|(?:traces|audit)(?:\/[^/]+)?|settings\/keys)$)/;

/**
 * Whether a page needs React in the browser: those of the dashboard with forms of their own, and those
 * for an app's developers. All others are sent without (`withoutRuntime`).
 */
export function needsRuntime(path: string): boolean {
  return /^\/(admin|account\/developer)(\/|$)/.test(path) && !plain.test(path);
}
