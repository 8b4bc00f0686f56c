import { type Html, html } from '../http/html.ts';
import { written } from './transcript.ts';

/** The look of someone else's app; it shares nothing with ours. */
export const style = `
:root { color-scheme: light dark; --paper: #fff8e7; --ink: #14213d; --soft: #4a5568; --rule: #14213d; --red: #b3261e; --blue: #1d4ed8; --tag: #ffe3a3; --on: #fff8e7; }
@media (prefers-color-scheme: dark) { :root { --paper: #10182b; --ink: #fdf0d5; --soft: #b9c0d0; --rule: #fdf0d5; --red: #ff8a7a; --blue: #8fb4ff; --tag: #3b2f12; --on: #10182b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif; overflow-wrap: anywhere; }
.mail { height: .75rem; background: repeating-linear-gradient(115deg, var(--red) 0 1.5rem, transparent 1.5rem 2.25rem, var(--blue) 2.25rem 3.75rem, transparent 3.75rem 4.5rem); }
.page { max-width: 68rem; margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.25rem; padding-bottom: 1rem; border-bottom: 3px double var(--rule); }
header a { color: inherit; font-size: 1.5rem; font-style: italic; text-decoration: none; }
header span { color: var(--soft); font-size: .9375rem; }
main { display: grid; gap: 2rem 4rem; padding-top: 2.5rem; }
@media (min-width: 56rem) { main { grid-template-columns: 5fr 6fr; } }
h1 { margin: 0 0 1rem; font-size: clamp(2rem, 6vw, 3.25rem); font-weight: 400; line-height: 1.1; }
h2 { margin: 0 0 .75rem; font: 700 .8125rem/1.4 "Courier New", Courier, monospace; letter-spacing: .12em; text-transform: uppercase; }
p { margin: 0 0 1rem; }
ol { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--rule); }
li { display: grid; gap: .25rem 1.25rem; padding: 1rem 0; border-bottom: 1px solid var(--rule); }
@media (min-width: 30rem) { li { grid-template-columns: 11.5rem 1fr; align-items: center; } }
.go { display: block; padding: .7rem 1rem; border: 2px solid var(--rule); background: var(--tag); color: var(--ink); font: inherit; font-weight: 700; text-align: center; text-decoration: none; cursor: pointer; }
.go:hover { background: var(--ink); color: var(--on); }
.first .go { background: var(--ink); color: var(--on); }
.first .go:hover { background: var(--tag); color: var(--ink); }
li small { color: var(--soft); font-size: .9375rem; }
.step { display: block; } .step p { margin: 0; font-weight: 700; } .step dl, .step details { margin: .5rem 0 0; }
.wide { width: 100%; } ol + p { margin-top: 1rem; }
a { color: var(--blue); }
:focus-visible { outline: 3px solid var(--red); outline-offset: 3px; }
.stamp { display: inline-block; margin-bottom: 1rem; padding: .25rem .75rem; border: 2px solid; font: 700 .8125rem/1.5 "Courier New", Courier, monospace; letter-spacing: .12em; text-transform: uppercase; rotate: -2deg; }
.good { color: var(--blue); } .bad { color: var(--red); }
dl { margin: 0 0 1.5rem; } dt { color: var(--soft); font-size: .875rem; } dd { margin: 0 0 .5rem; font-family: "Courier New", Courier, monospace; font-size: .9375rem; }
`;

/** A page of someone else's app. */
export function foreignPage(app: string, title: string, main: Html): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · ${app}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"></head>
<body><div class="mail"></div><div class="page"><header><a href="/">${app}</a><span>someone else’s app</span></header>
<main>${main}</main></div></body></html>`.toString();
}

/** Names and values as received. */
export function facts(values: Record<string, unknown>): Html {
  const rows = Object.entries(values).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${written(value)}</dd>`,
  );
  return html`<dl>${rows}</dl>`;
}
