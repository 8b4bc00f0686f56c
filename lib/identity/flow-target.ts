/**
 * Where the forms of a flow may lead in the end, as a CSP source: the redirect
 * URI's origin, or its scheme with a colon, or nothing.
 */
export async function formActionTarget(_flow: string): Promise<string> {
  return '';
}
