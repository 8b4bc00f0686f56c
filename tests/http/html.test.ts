import { expect, test } from 'vitest';
import { escapeHtml, html } from '#lib/http/html.ts';

test('the html template escapes values in text and in quoted attributes', () => {
  const value = `"><script>alert('x')</script>&\``;
  expect(html`<p title="${value}">${value}</p>`.toString()).toBe(
    `<p title="${escapeHtml(value)}">${escapeHtml(value)}</p>`,
  );
  expect(escapeHtml(value)).not.toMatch(/[<>"'`]/);
});

test('the html template keeps nested markup, joins arrays and leaves out absent values', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}${null}${false}${undefined}${0}</ul>`.toString()).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li>0</ul>',
  );
});
