import type { Block, Filling } from './recipe.ts';
import { literal } from './text.ts';

/** The environment variables of a container, in the format of Compose. */
export function composeEnvironment(service: string, variables: Record<string, string>): Block {
  const lines = Object.entries(variables).map(
    ([name, value]) => `      ${name}: ${literal('yaml', value)}\n`,
  );
  const text = `services:\n  ${service}:\n    environment:\n${lines.join('')}`;
  return { title: 'compose.yaml', language: 'yaml', text };
}

/** A form of the program, with what to type into it. */
export function form(title: string, fields: Record<string, string>): Block {
  return { title, language: 'form', fields: Object.entries(fields) };
}

/** The form for an OAuth provider in PocketBase, which programs built with PocketBase have too. */
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
