import { expect, test } from 'vitest';
import { clientOf, fillRecipe } from '#lib/recipes/fill.ts';
import { readRecipe } from '#lib/recipes/read.ts';

const sample = `---
name: Notes
kind: program
summary: Writes notes
questions:
  address:
    kind: origin
    label: Where does Notes run?
    placeholder: https://notes.example.org
client: { authentication: basic, pkce: by the text }
redirectUris:
  - "{{address}}/callback"
values:
  home: "{{address}}/"
checked: documentation
version: Notes 1
sources:
  - Notes documentation
---

1. Write the file.
2. Start it, with\\_care.

## On {{address}}

\`\`\`yaml
issuer: {{issuer}}
{{if issuer.http}}
insecure: true
{{else}}
insecure: false
{{end}}
home: {{home}}
port: {{address.port or 3000}}
template: {{ user }}
{{part ending}}
\`\`\`

## Settings

| Field | Value |
|---|---|
| Client | \`{{clientId}}\` |
| Rule | \`a \\| b\` |

> The address has no slash.
`;

const parts = { ending: 'secret: {{clientSecret}}\n' };
const read = (text: string, name = 'notes') =>
  readRecipe(`docs/recipes/${name}.md`, text, parts).recipe;

test('a recipe is facts, steps, things to paste with gaps, and the most common mistake', () => {
  const recipe = read(sample);
  expect(recipe).toMatchObject({
    id: 'notes',
    steps: ['Write the file.', 'Start it, with_care.'],
    trap: 'The address has no slash.',
    source: { version: 'Notes 1', pages: ['Notes documentation'], notChecked: [] },
    client: { type: 'confidential', pkce: 'by the text', sendIss: true },
    questions: { address: { hint: 'The address people type into their browser.', suggestion: '' } },
  });
  const answers = { address: 'https://notes.example.org:8443' };
  expect(clientOf(recipe, answers)).toMatchObject({
    redirectUris: ['https://notes.example.org:8443/callback'],
    homePage: answers.address,
  });
  const given = { clientId: 'id', clientSecret: 'se"cret' };
  const [file, form] = fillRecipe(recipe, answers, { issuer: 'https://id.example.org', ...given });
  expect(file).toMatchObject({ title: `On ${answers.address}`, language: 'yaml' });
  expect(file?.text).toBe(`issuer: "https://id.example.org"
insecure: false
home: "https://notes.example.org:8443/"
port: "8443"
template: {{ user }}
secret: "se\\"cret"
`);
  expect(form?.fields).toEqual([
    ['Client', 'id'],
    ['Rule', 'a | b'],
  ]);
  const local = { issuer: 'http://localhost:3000', ...given };
  const [plain] = fillRecipe(recipe, { address: 'http://localhost' }, local);
  expect(plain?.text).toContain('insecure: true\nhome: "http://localhost/"\nport: "3000"\n');
});

test.each<[what: string, from: string, to: string, line: number, said: string[]]>([
  ['no facts', '---\nname', 'name', 1, ['name: Notes', 'facts between two lines of ---']],
  ['facts that are no YAML', 'name: Notes', 'name: "Notes', 2, ['YAML']],
  ['a fact given twice', 'kind: program', 'kind: program\nkind: stack', 4, ['unique', 'YAML']],
  ['an unknown fact', 'summary:', 'sumary:', 4, ['sumary', 'summary']],
  ['a missing fact', 'version: Notes 1\n', '', 2, ['version']],
  ['an unknown kind', 'kind: program', 'kind: thing', 3, ['"thing"', '"program"']],
  ['an unknown trait', 'pkce: by the text', 'pkce: maybe', 10, ['client.pkce', '"by the text"']],
  ['a question of no kind', 'kind: origin', 'kind: url', 7, ['questions.address.kind', '"site"']],
  ['no example', '    placeholder: https://notes.example.org\n', '', 7, ['placeholder']],
  ['a day that has not been', 'documentation\nversion', '1 May 2999\nversion', 15, ['checked']],
  ['an unknown answer', '{{address}}/callback', '{{host}}/callback', 12, ['{{host}}', 'address']],
  ['a value of the text', '{{address}}/callback', '{{issuer}}/x', 12, ['{{issuer}}', 'address']],
  ['a name taken twice', 'home: "', 'issuer: "', 14, ['issuer', 'a name that nothing else has']],
  ['a value of itself', 'home: "{{address}}', 'home: "{{home}}', 14, ['{{home}}', 'clientSecret']],
  ['no steps', '1. Write the file.\n2. Start it, with\\_care.\n', '', 22, ['## On', 'numbered']],
  ['markup in a step', 'Write the file', 'Write the `file`', 21, ['`file`', 'a backslash']],
  ['half a sentence', 'Write the file.', 'Write the file', 21, ['Write the file', 'a full stop']],
  ['a title without a text', '## Settings\n', '## Settings\n\n## Others\n', 41, ['## Others']],
  ['a text without a title', '## Settings\n', '', 40, ['| Field', 'a heading']],
  ['no language', '```yaml', '```', 26, ['```', 'yaml']],
  ['an unknown gap', '{{issuer}}\n', '{{isuer}}\n', 27, ['{{isuer}}', 'issuer', '{{ isuer }}']],
  ['an unknown ending', 'address.port', 'address.prt', 34, ['{{address.prt or 3000}}', 'port']],
  ['an unknown condition', 'if issuer.http', 'if issuer.ftp', 28, ['NAME.https']],
  ['a condition in another', '{{else}}', '{{if yaml}}', 30, ['one condition after the other']],
  ['a condition without an end', '{{end}}\n', '', 27, ['{{if}}', '{{end}}']],
  ['an unknown part', '{{part ending}}', '{{part end}}', 36, ['{{part end}}', 'ending']],
  ['a value without backticks', '`{{clientId}}`', '{{clientId}}', 43, ['between backticks']],
  ['an unknown gap in a form', '{{clientId}}', '{{client}}', 43, ['{{client}}', 'clientId']],
  ['no mistake', '> The address has no slash.\n', '', 41, ['then a quote']],
])('a recipe with %s is refused with its line', (_, from, to, line, said) => {
  expect(sample).toContain(from);
  const refusal = () => read(sample.replace(from, () => to));
  expect(refusal).toThrow(`docs/recipes/notes.md:${line}: `);
  for (const each of [...said, '\nExpected: ']) expect(refusal).toThrow(each);
});

test('a recipe is named by its file, as addresses are written', () => {
  expect(() => read(sample, 'My notes')).toThrow('My notes.md:1: the file’s name, My notes');
});
