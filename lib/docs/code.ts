import type { Token, Tokens } from 'marked';
import { escapeHtml } from './escape.ts';

/** A fenced block. Titled ones (```` ```js Node.js ````) that follow each other are the same in several languages. */
type Sample = { title: string; html: string };
type Tabs = { type: 'tabs'; raw: string; name: string; samples: Sample[] };

export const isTabs = (token: { type: string }): token is Tabs => token.type === 'tabs';

/** The parts of a page, in which titled blocks that follow each other have become tabs. */
export function inTabs(tokens: readonly Token[]): Token[] {
  const parts: Token[] = [];
  let reason = '';
  for (const token of tokens) {
    if (token.type === 'html') reason = reasonIn(token.raw);
    if (token.type === 'code') {
      addCode(parts, token as Tokens.Code, reason);
      reason = '';
    } else if (!isGap(token)) parts.push(token);
  }
  return parts;
}

/** What stands between blocks without being seen. */
const isGap = ({ type, raw }: Token) =>
  type === 'space' || (type === 'html' && /^<!--[\s\S]*-->\s*$/.test(raw));

function addCode(parts: Token[], { raw, text, lang = '' }: Tokens.Code, reason: string): void {
  const [language = '', ...words] = lang.split(' ');
  const sample = { title: words.join(' '), html: codeBlock(text, language) + noteOf(reason) };
  const before = parts.at(-1);
  if (sample.title && before && isTabs(before) && before.samples[0]?.title) {
    before.samples.push(sample);
    return;
  }
  const name = `tabs-${parts.filter(isTabs).length + 1}`;
  parts.push({ type: 'tabs', raw, name, samples: [sample] } satisfies Tabs);
}

/** Why no test runs a block: the comment before it. One that names a test is run in another way. */
function reasonIn(raw: string): string {
  const [, reason = ''] = /^<!-- not run here: (.+) -->$/.exec(raw.trim()) ?? [];
  return /\btests\//.test(reason) ? '' : reason;
}

const noteOf = (reason: string) =>
  reason ? `<p class="doc-unrun">Not run by our tests: ${escapeHtml(reason)}.</p>\n` : '';

/** A sample, or a choice of several that works without scripts: radio buttons that look like tabs. */
export function tabsOf({ name, samples }: Tabs): string {
  const [only] = samples;
  if (samples.length === 1 && only?.title === '') return only.html;
  const heads = samples.map(({ title }, index) => {
    const id = `${name}-${index + 1}`;
    const checked = index === 0 ? ' checked' : '';
    return `<input type="radio" class="sr-only" name="${name}" id="${id}" data-tab="${escapeHtml(title)}"${checked}><label for="${id}">${escapeHtml(title)}</label>`;
  });
  const bodies = samples.map(({ html }) => `<div class="doc-tab">${html}</div>`);
  return `<fieldset class="doc-tabs"><legend class="sr-only">Language</legend>${heads.join('')}${bodies.join('')}</fieldset>\n`;
}

/** Code with a button that copies it, which public/enhance.js shows. What has a language wraps; a drawing scrolls. */
export function codeBlock(text: string, language = ''): string {
  const code = escapeHtml(text);
  const [first = ''] = text.split('\n');
  const kind = language === '' || language === 'text' ? 'doc-drawing" tabindex="0' : 'doc-wrapped';
  const button = `<button type="button" class="gh-button gh-button-secondary gh-button-small" hidden data-copy=""><span aria-hidden="true">Copy</span><span class="sr-only">Copy ${escapeHtml(first.slice(0, 60))}</span><span role="status" class="sr-only" data-done="✓ Copied"></span></button>`;
  return `<div class="doc-code"><pre class="${kind}"><code>${code}\n</code></pre>${button}</div>\n`;
}
