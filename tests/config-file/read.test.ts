import { describe, expect, test } from 'vitest';
import { FileRefused } from '#lib/config-file/faults.ts';
import { readConfigFile } from '#lib/config-file/read.ts';
import { configFileSchema } from '#lib/config-file/schema.ts';
import { processorTime } from '../support/linear.ts';

function faults(text: string): readonly string[] {
  try {
    const source = readConfigFile(text, 'f.yaml', '/');
    return new FileRefused(source.file, source.faults).lines;
  } catch (error) {
    return (error as FileRefused).lines;
  }
}

describe('reading a configuration file', () => {
  test('reports everything that is wrong together, with line and suggestion', () => {
    const text = `settings:
  REQUIRE_PKSE: on
  ALWAYS_ISSUE_NEW_REFRESH_TOKEN: on
apps:
  grafana:
    redirect_uri: https://grafana.example.org
    require_pkce: perhaps
    access_token_ttl: soon
  wiki:
    name: 12
  third: 12
grups: {}
`;
    expect(faults(text).toSorted()).toEqual(
      [
        'f.yaml:2: settings.REQUIRE_PKSE: Unknown field. Did you mean REQUIRE_PKCE?',
        'f.yaml:3: settings.ALWAYS_ISSUE_NEW_REFRESH_TOKEN: ALWAYS_ISSUE_NEW_REFRESH_TOKEN can only be set in the environment.',
        'f.yaml:5: apps.grafana.name is missing.',
        'f.yaml:6: apps.grafana.redirect_uri: Unknown field. Did you mean redirect_uris?',
        'f.yaml:7: apps.grafana.require_pkce is "perhaps", and has to be on, off or default.',
        'f.yaml:8: apps.grafana.access_token_ttl is "soon", and has to be a time such as 90 minutes or 30 days, seconds, or default.',
        'f.yaml:10: apps.wiki.name is 12, and has to be a string. Put it in quotes: "12".',
        'f.yaml:11: apps.third is 12, and has to be an object (names with values below it).',
        'f.yaml:12: grups: Unknown field. Did you mean groups?',
      ].toSorted(),
    );
  });

  test.each([
    ['apps:\n  a:\n    name: A\n    secret: hunter2hunter2\n'],
    ['apps:\n  a:\n    name: A\n    secret: {env: [hunter2]}\n'],
    ['apps:\n  a:\n    name: A\n    secret: @hunter2\n'],
    ['apps:\n  a:\n    name: A\n    secret: "hunter2\n'],
    ['apps:\n  a:\n    name: A\n    secret: *hunter2\n'],
    ['apps:\n  a:\n    name: A\n    client_secret: hunter2\n'],
    ['apps:\n  a:\n    name: A\n    secret: {env: hunter2-hunter2}\n'],
    [`apps:\n  a:\n    name: A\n    secret: {env: hunter2${'x'.repeat(60)}}\n`],
    ['apps:\n  a:\n    name: A\n    secret: {hunter2: x}\n'],
    ['apps:\n  a:\n    name: A\n    secret: [{env: A, hunter2: x}]\n'],
    ['apps:\n  a:\n    name: A\n    secret: {hunter2}: x\n'],
  ])('does not repeat a secret in the wrong place: %j', (text) => {
    const said = faults(text);
    expect(said.length).toBeGreaterThan(0);
    expect(said.join()).not.toContain('hunter2');
  });

  test.each([
    [
      'a name that stands twice',
      'groups:\n  a:\n  a:\n',
      'f.yaml:3: This name appears here twice.',
    ],
    ['a name that is no text', 'groups:\n  12:\n', 'put it in quotes'],
    ['__proto__', 'groups:\n  __proto__: {}\n', 'cannot be used'],
    ['several documents', '{}\n---\n{}\n', 'several documents'],
    ['tabs', 'groups:\n\ta: {}\n', 'not with tabs'],
    ['a tag', 'groups: !!js/function a\n', 'Tags'],
  ])('refuses %s', (_, text, sentence) => {
    expect(faults(text).join('\n')).toContain(sentence);
  });

  test.each([
    ['brackets in brackets', '['.repeat(1_000_000)],
    ['braces in braces', `${'{a: '.repeat(200_000)}`],
    ['lists in lists', '- '.repeat(500_000)],
    ['aliases of aliases', bombs(30)],
    ['a file that is too large', `# ${'x'.repeat(3 * 1024 * 1024)}`],
    [
      'many wrong names',
      `groups:\n${Array.from({ length: 20_000 }, (_, at) => `  g${at}: x\n`).join('')}`,
    ],
  ])('takes little time: %s', (_, text) => {
    const begun = processorTime();
    expect(faults(text).length).toBeLessThan(60);
    expect(processorTime() - begun).toBeLessThan(20_000);
  });

  test('ignores an empty section, but refuses a file in which no section is present', () => {
    const { content } = readConfigFile('apps: {}\ngroups:\n', 'f.yaml', '/');
    expect(content).toEqual({ apps: {} });
    for (const text of ['', '# nothing\n', 'apps:\ngroups:\n', '$schema: x\n'])
      expect(faults(text).join()).toContain('There is no section');
  });

  test('accepts switches and durations as people write them', () => {
    const text = `apps:
  a:
    name: A
    first_party: on
    require_pkce: default
    send_iss: false
    access_token_ttl: 90 minutes
    refresh_token_ttl: 600
`;
    expect(readConfigFile(text, 'f.yaml', '/').content.apps?.a).toEqual({
      name: 'A',
      first_party: true,
      require_pkce: null,
      send_iss: false,
      access_token_ttl: 5400,
      refresh_token_ttl: 600,
    });
  });

  test('builds its JSON Schema only once', () => {
    expect(configFileSchema()).toBe(configFileSchema());
  });

  test('a number where a text belongs is shown as written, and is to be quoted', () => {
    for (const written of ['1122334455667788990', '0x1F', '007', '1e3'])
      expect(faults(`apps:\n  a: {name: ${written}}\n`).join()).toContain(
        `is ${written}, and has to be a string. Put it in quotes: "${written}".`,
      );
  });

  test('its JSON Schema has every name, and forbids others', () => {
    const { properties } = configFileSchema() as {
      properties: Record<string, Record<string, unknown>>;
    };
    expect(Object.keys(properties)).toContain('apps');
    expect(JSON.stringify(properties.settings)).toContain('REQUIRE_PKCE');
    const app = properties.apps?.additionalProperties as Record<string, unknown>;
    expect(app).toMatchObject({ additionalProperties: false, required: ['name'] });
    expect(JSON.stringify(app)).toContain('redirect_uris');
  });
});

/** Each line expands to nine times the previous one. */
function bombs(count: number): string {
  const lines = ['a0: &a0 [x]'];
  for (let at = 1; at < count; at += 1)
    lines.push(
      `a${at}: &a${at} [${Array(9)
        .fill(`*a${at - 1}`)
        .join(', ')}]`,
    );
  return lines.join('\n');
}
