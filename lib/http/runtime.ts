/** Pages below /admin that do by small scripts (public/) what they do while they are looked at. */
const plain = [
  /^(?:search|judge|(?:traces|audit)(?:\/[^/]+)?|approvals(?:\/matrix)?)?$/,
  /^people(?:\/batches\/[^/]+|\/many\/[^/]+|\/import\/[^/]+|\/[^/]+(?:\/leave)?)?$/,
  /^(?:groups|apis|fields|providers)(?:\/[^/]+){0,2}$/,
  /^scopes$/,
  /^clients(?:\/[^/]+(?:\/(?:connect|activity|access|settings|preview|try))?)?$/,
  /^settings(?:\/(?:api|keys|general|look|new-apps|permissions|security|sign-in))?$/,
];

/** Whether a page needs React in the browser: some forms of the dashboard. All others are sent without (`withoutRuntime`). */
export function needsRuntime(path: string): boolean {
  const inside = /^\/admin(?:\/(.*))?$/.exec(path);
  return inside !== null && !plain.some((pattern) => pattern.test(inside[1] ?? ''));
}
