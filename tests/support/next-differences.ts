/**
 * What `next start` answers differently from `lib/server/answer.ts`, because Next.js decides before
 * the endpoint is asked. None of it leads to a token or a foreign address. Everything not listed
 * here has to be the same on both mounts.
 */
export const nextDecides = {
  /** It repairs a query: `%zz` reaches the endpoint as the text `%zz`. */
  brokenEscape: [303],
  /**
   * It reads the whole body before it passes the request on, so a body without an end gets no
   * answer.
   */
  waitsForWholeBody: true,
  /** It redirects to the same address without the trailing slash or without doubled slashes. */
  slashes: [308, 400, 404],
  /** It resolves dot segments, backslashes and some escapes, or finds nothing there. */
  odderSpellings: [200, 308, 400, 404],
  /** It decodes invalid UTF-8 as U+FFFD, finds nothing, or fails. */
  brokenEscapeInPath: [400, 404, 500],
  /** It does not accept `*` or a path without a slash as an address, and fails. */
  noPath: [400, 404, 500],
  /** Its request shows the first of two Authorization headers, as node:http does. */
  secondAuthorizationUnseen: true,
  /** It takes absolute-form targets, and redirects because of their double slash. */
  absoluteForm: [200, 308, 400, 401, 404],
  /** It has no answer to TRACE, CONNECT and unknown methods. */
  otherMethods: [0, 400, 404, 405, 500, 501],
} as const;

/** What Next.js logs when it fails by itself in the cases above. */
export const nextFailures = ["'TRACE' HTTP method is unsupported", 'TypeError: Invalid URL'];
