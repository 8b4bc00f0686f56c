/** Stands for the address of the server that shows a page. */
export const exampleIssuer = 'https://id.example.org';

/** Safe in texts and in attributes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
