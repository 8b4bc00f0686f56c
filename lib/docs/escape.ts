/** The placeholder for the address of the server that shows a page. */
export const exampleIssuer = 'https://id.example.org';

/** Makes a text safe inside HTML elements and attributes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
