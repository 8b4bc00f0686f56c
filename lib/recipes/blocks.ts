import type { Block, Filling } from './recipe.ts';
import { literal } from './text.ts';

/** What a container is told in its environment, as Compose writes it. */
export function composeEnvironment(service: string, variables: Record<string, string>): Block {
  const lines = Object.entries(variables).map(
    ([name, value]) => `      ${name}: ${literal('yaml', value)}\n`,
  );
  const text = `services:\n  ${service}:\n    environment:\n${lines.join('')}`;
  return { title: 'compose.yaml', language: 'yaml', text };
}

/** A form of the program, and what to type in it. */
export function form(title: string, fields: Record<string, string>): Block {
  return { title, language: 'form', fields: Object.entries(fields) };
}

/** The form for a sign-in server of PocketBase, which programs made with it have too. */
export function pocketBaseForm(title: string, { server, clientId, clientSecret }: Filling): Block {
  return form(title, {
    'Client ID': clientId,
    'Client secret': clientSecret,
    'Display name': 'Gatehouse',
    'Auth URL': server.authorize,
    'Token URL': server.token,
    'Fetch user info from': 'User info URL',
    'User info URL': server.userinfo,
    'Support PKCE': 'ticked',
  });
}
