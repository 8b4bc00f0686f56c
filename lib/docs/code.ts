import type { Token, Tokens } from 'marked';
import { escapeHtml } from './escape.ts';

/**
 * A fenced block. Consecutive blocks with titles (```` ```js Node.js ````) are the same sample in
 * several languages.
 */
type Sample = { title: string; html: string };
type Tabs = { type: 'tabs'; raw: string; name: string; samples: Sample[] };

export const isTabs = (token: { type: string }): token is Tabs => token.type === 'tabs';

/** Joins consecutive blocks with titles into tabs. */
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

/** Tokens between blocks that are not displayed. */
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

/**
 * The reason why no test runs a block, from the comment before it. If the comment names a test, the
 * block is tested in another way.
 */
function reasonIn(raw: string): string {
  const [, reason = ''] = /^<!-- not run here: (.+) -->$/.exec(raw.trim()) ?? [];
  return /\btests\//.test(reason) ? '' : reason;
}

const noteOf = (reason: string) =>
  reason ? `<p class="doc-unrun">Not run by our tests: ${escapeHtml(reason)}.</p>\n` : '';

/**
 * A sample, or tabs to choose between several. The tabs are radio buttons, and work without
 * scripts.
 */
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

/**
 * Code with a copy button, which public/enhance.js makes visible. Code in a language wraps; a
 * drawing scrolls.
 */
export function codeBlock(text: string, language = ''): string {
  const code = escapeHtml(text);
  const [first = ''] = text.split('\n');
  const kind = language === '' || language === 'text' ? 'doc-drawing" tabindex="0' : 'doc-wrapped';
  const button = `<button type="button" class="gh-button gh-button-secondary gh-button-small" hidden data-copy=""><span aria-hidden="true">Copy</span><span class="sr-only">Copy ${escapeHtml(first.slice(0, 60))}</span><span role="status" class="sr-only" data-done="✓ Copied"></span></button>`;
  return `<div class="doc-code"><pre class="${kind}"><code>${code}\n</code></pre>${button}</div>\n`;
}
