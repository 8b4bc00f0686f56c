import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exampleValues, recipeText } from '#lib/docs/recipe-text.ts';
import { sentencesIn } from '#lib/messages/text.ts';
import { judgeAnswers } from '#lib/recipes/answers.ts';
import { clientOf, fillRecipe, secretGap, suggestedName } from '#lib/recipes/fill.ts';
import { allRecipes, findRecipe } from '#lib/recipes/list.ts';
import type { Recipe } from '#lib/recipes/recipe.ts';
import { credentials, sampleAnswers } from './samples.ts';

const recipes = allRecipes();

test('each recipe is found by its id, and ids are unique', () => {
  expect(recipes.length).toBeGreaterThanOrEqual(41);
  expect(new Set(recipes.map(({ id }) => id)).size).toBe(recipes.length);
  for (const recipe of recipes) {
    expect(recipe.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(findRecipe(recipe.id)).toBe(recipe);
  }
  expect(findRecipe('constructor')).toBeUndefined();
});

test('README.md and docs/connect.md have the correct numbers of recipes', () => {
  const count = (kind: Recipe['kind']) => recipes.filter((recipe) => recipe.kind === kind).length;
  const page = (name: string) => readFileSync(name, 'utf8');
  expect(page('README.md')).toContain(`${count('program')} programs and ${count('stack')} stacks`);
  expect(page('docs/connect.md')).toContain(`${count('program')} programs that people run`);
  expect(page('docs/connect.md')).toContain(`${count('stack')} stacks`);
  expect(page('docs/connect.md')).toContain(`${count('plain')} plain kinds`);
});

/** Programs that have no use for groups, or cannot receive them in a sign-in. */
const withoutGroups = [
  'actual-budget',
  'adventurelog',
  'beszel',
  'claude-code',
  'donetick',
  'ezbookkeeping',
  'freshrss',
  'hedgedoc',
  'immich',
  'karakeep',
  'komodo',
  'linkace',
  'linkding',
  'mattermost',
  'mcp-inspector',
  'memos',
  'miniflux',
  'node-red',
  'outline',
  'pocketbase',
  'traefik-forward-auth',
  'vaultwarden',
  'vs-code',
  'wiki-js',
  'tailscale',
];

test('each recipe of a program that uses groups says so, and its client may ask for them', () => {
  // A program behind a proxy receives groups in a header.
  const programs = recipes.filter(({ kind, guard }) => kind === 'program' && !guard);
  expect(programs.map(({ id }) => id)).toEqual(expect.arrayContaining(withoutGroups));
  for (const recipe of programs) {
    const blocks = fillRecipe(recipe, sampleAnswers(recipe), credentials);
    const asks = blocks.some(({ text }) => /\bgroups\b/.test(text));
    expect([recipe.id, asks]).toEqual([recipe.id, !withoutGroups.includes(recipe.id)]);
    if (asks) expect([recipe.id, ...recipe.client.scopes]).toContain('groups');
  }
});

test('recipes that are marked as run are those that the tests of clients run', () => {
  const files = globSync('tests/clients/{recipe*.{test,spec},guarded-programs.test,stacks/*}.ts');
  const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  for (const { id, checked } of recipes) {
    // Others need what a machine may not have, such as Composer’s packages.
    const isRun = checked === 'run' || (typeof checked === 'object' && texts.includes(`'${id}'`));
    expect([id, texts.includes(`'${id}'`)]).toEqual([id, isRun]);
  }
});

test('an app made from a recipe is suggested the name of the program, and never that of a library', () => {
  const named = Object.fromEntries(recipes.map((each) => [each.id, suggestedName(each)]));
  expect(named).toMatchObject({ gitea: 'Gitea', kubelogin: 'Kubernetes', 'oauth2-proxy': '' });
  for (const { id, kind } of recipes)
    if (kind !== 'program') expect([id, named[id]]).toEqual([id, '']);
});

describe.each(recipes.map((recipe) => [recipe.id, recipe] as const))(
  'the recipe %s',
  (_, recipe) => {
    const answers = sampleAnswers(recipe);

    test('is filled in completely', () => {
      const blocks = fillRecipe(recipe, answers, credentials);
      const everything = blocks.map(({ text }) => text).join('\n');
      expect(blocks.length).toBeGreaterThan(0);
      expect(new Set(blocks.map(({ title }) => title)).size).toBe(blocks.length);
      expect(everything).not.toMatch(/\[object|\$\{|\bNaN\b|["']undefined["']|: undefined/);
      // A program behind a proxy knows nothing about this server.
      const knows = !recipe.guard;
      expect(everything.includes(new URL(credentials.issuer).host)).toBe(knows);
      expect(everything.includes(credentials.clientId)).toBe(knows);
      expect(everything.includes(credentials.clientSecret)).toBe(
        knows && recipe.client.type === 'confidential',
      );
      for (const { text, language } of blocks) {
        expect(text, 'ends with one line break').toMatch(/\S\n$/);
        expect(text, 'no line begins below the margin').toMatch(/^\S/);
        expect(text).not.toMatch(/[ \t]$/m);
        expect(text).not.toContain('\t\t\t\t\t');
        if (language !== 'go') expect(text).not.toContain('\t');
      }
    });

    test('does not tell the reader to run a package that anyone could publish', () => {
      const texts = fillRecipe(recipe, answers, credentials).map(({ text }) => text);
      const ran =
        texts
          .join('\n')
          .match(/\b(?:npx|bunx|pnpx|uvx|(?:npm|pnpm|yarn|bun) (?:create|dlx))\s+\S+/g) ?? [];
      // Only packages of the project that the recipe is for, in a fixed version.
      for (const run of ran) expect(run).toMatch(/^npx @modelcontextprotocol\/inspector@\d+$/);
    });

    test('is the same text each time, without a secret', () => {
      const page = () => recipeText(recipe, exampleValues(recipe, 'https://id.example.org'));
      expect(page()).toBe(page());
    });

    test('has a placeholder where the secret is unknown', () => {
      const blocks = fillRecipe(recipe, answers, { ...credentials, clientSecret: null });
      const everything = blocks.map(({ text }) => text).join('\n');
      expect(everything.includes(secretGap)).toBe(
        !recipe.guard && recipe.client.type === 'confidential',
      );
    });

    test('has at most two questions, and its version, sources and pitfall', () => {
      const questions = Object.values(recipe.questions);
      expect(questions.length).toBeLessThanOrEqual(2);
      for (const { suggestion, placeholder } of questions)
        expect([placeholder, '']).toContain(suggestion);
      expect(recipe.source.version).toMatch(/\S/);
      expect(recipe.source.pages.length).toBeGreaterThan(0);
      const { trap, steps, summary, source } = recipe;
      for (const sentence of [trap, ...steps, ...source.notChecked])
        expect(sentence).toMatch(/^[\p{L}“].*[.?!]$/su);
      expect(summary).not.toMatch(/\.$/);
    });

    test('requires PKCE if the program sends it, by default or by the text', () => {
      const { requirePkce, type, grants } = clientOf(recipe, answers);
      expect(requirePkce).toBe(/^by /.test(recipe.client.pkce) ? true : null);
      if (type === 'public' && grants.includes('authorization_code'))
        expect(recipe.client).toMatchObject({ pkce: 'by default' });
      const proves = type !== 'public' && !recipe.guard;
      expect(recipe.client.authentication === 'none').toBe(!proves);
    });
  },
);

/**
 * What could be typed by a person who wants to break out of the text, or who has copied too much.
 */
const hostile = [
  '',
  ' ',
  'x'.repeat(301),
  "https://app.example.org'",
  'https://app.example.org"; rm -rf /; echo "',
  'https://app.example.org\nadmin: true',
  'https://app.example.org\r\nSet-Cookie: a=b',
  'https://app.example.org/\u0024{HOME}',
  'https://app.example.org/$(id)',
  'https://app.example.org/`id`',
  'https://app.example.org/#{1}',
  'https://app.example.org/{{1}}',
  'https://app.example.org/%7Buser%7D',
  'https://app.example.org/</script><script>alert(1)</script>',
  'https://app.example.org/?next=/admin',
  'https://app.example.org/#top',
  'https://ada:secret@app.example.org',
  'https://app.example.org@evil.example',
  'https://app.example.org\\evil',
  'https://app.example.org/a b',
  'https://app.example.org/%00',
  'https://app.example.org\u0000',
  'https://app.example.org/\u202egpj.exe',
  'https://ärger.example/\u2028x',
  'https://app.example.org;v=1',
  'https://*.example.org',
  'https://app.example.org:99999',
  'https://',
  'https:///path',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://app.example.org',
  '//app.example.org',
  '/login',
  'gatehouse\n[admin]',
  "gate'house",
  'gate"house',
  'gate house',
  'gate/../house',
  '../../etc',
  '-rf',
  '--help',
  '\u0024{jndi:ldap://x}',
  '<b>',
  'näme',
  '__proto__ ',
  'com.example.app:/callback',
  'com.example.app\n',
];

describe.each(recipes.map((recipe) => [recipe.id, recipe] as const))(
  'the recipe %s with a malicious answer',
  (_, recipe) => {
    const names = Object.keys(recipe.questions);
    test.each(hostile)('%j', (typed) => {
      for (const name of names) {
        const { answers, faults } = judgeAnswers(recipe, {
          ...sampleAnswers(recipe),
          [name]: typed,
        });
        if (answers) {
          // An accepted answer has a form that no language can misread.
          expect(answers[name]).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:/~[\]-]*$/);
          continue;
        }
        const said = sentencesIn('en', faults);
        expect(Object.keys(said)).toEqual([name]);
        expect(said[name]).not.toMatch(/[\p{C}\u2028]/u);
        if (typed.trim() && typed.length <= 300)
          expect(said[name]).toMatch(/^Received ".*"\. Expected /s);
      }
    });
  },
);

/** Answers that were not checked. The texts must be safe even then. */
const unjudged = [
  'https://a.example\nadmin: true',
  'https://a.example/\u2028x',
  'https://a.example/\u0000',
  'a\r\n[admin]',
];

test.each(recipes.map((recipe) => [recipe.id, recipe] as const))(
  'the recipe %s gets no additional line from an answer that was not validated',
  (_, recipe) => {
    const linesOf = (answers: Record<string, string>) =>
      fillRecipe(recipe, answers, credentials)
        .filter(({ fields }) => !fields)
        .map(({ text }) => text.split(/[\r\n\u2028]/).length);
    const sample = sampleAnswers(recipe);
    for (const name of Object.keys(sample)) {
      for (const typed of unjudged) {
        let lines = linesOf(sample);
        try {
          lines = linesOf({ ...sample, [name]: typed });
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
        expect(lines).toEqual(linesOf(sample));
      }
    }
  },
);

describe('an answer to a recipe’s question', () => {
  const site = {
    kind: 'site',
    label: 'Where?',
    hint: 'There.',
    placeholder: 'https://app.example.org',
    suggestion: '',
  } as const;
  const judge = (kind: 'origin' | 'site', typed: string) =>
    judgeAnswers({ questions: { address: { ...site, kind } } }, { address: typed });

  test.each([
    ['https://App.Example.org/', 'https://app.example.org'],
    [' https://app.example.org:8443 ', 'https://app.example.org:8443'],
    ['https://app.example.org:443', 'https://app.example.org'],
    ['http://192.168.1.5:8096', 'http://192.168.1.5:8096'],
    ['http://[fd00::1]:3000', 'http://[fd00::1]:3000'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ])('%s is normalized to %s', (typed, used) => {
    for (const kind of ['origin', 'site'] as const)
      expect(judge(kind, typed).answers).toEqual({ address: used });
  });

  test('may have a path only if the program may have one', () => {
    const typed = 'https://app.example.org/wiki/';
    expect(judge('site', typed).answers).toEqual({ address: 'https://app.example.org/wiki' });
    expect(sentencesIn('en', judge('origin', typed).faults ?? {})).toEqual({
      address:
        'Received "https://app.example.org/wiki/". Expected it without a path: https://app.example.org',
    });
  });

  test('without a scheme is refused with a suggestion that has one', () => {
    expect(sentencesIn('en', judge('origin', 'app.example.org').faults ?? {})).toEqual({
      address: 'Received "app.example.org". Expected a whole address: https://app.example.org',
    });
  });
});
