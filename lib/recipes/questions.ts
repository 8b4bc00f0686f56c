import type { Question } from './recipe.ts';

/** Where the program runs; it stands at the root of its host. */
export function originOf(program: string, placeholder: string): Question {
  return {
    kind: 'origin',
    label: `Where does ${program} run?`,
    hint: 'The address people type into their browser.',
    placeholder,
    suggestion: '',
  };
}

/** Where the program runs; a path may belong to it. */
export function siteOf(program: string, placeholder: string): Question {
  return {
    ...originOf(program, placeholder),
    kind: 'site',
    hint: 'The address people type into their browser, up to where the program starts.',
  };
}

/** Where an app of one's own runs while it is being written. */
export function appAddress(suggestion: string): Question {
  return {
    kind: 'origin',
    label: 'Where does your app run?',
    hint: 'Start with the address on your own machine. Add the public one later.',
    placeholder: suggestion,
    suggestion,
  };
}

/** The name that the program gives to this server and makes part of the redirect URI. */
export function providerName(label: string, suggestion = 'gatehouse'): Question {
  return {
    kind: 'name',
    label,
    hint: 'It’s part of the redirect URI. Use the same name in both places.',
    placeholder: suggestion,
    suggestion,
  };
}

/** The MCP server that an AI app is to use. */
export const mcpServerAddress: Question = {
  kind: 'site',
  label: 'Where is the MCP server?',
  hint: 'Its whole address, which is also the identifier of its API here.',
  placeholder: 'https://mcp.example.org/mcp',
  suggestion: '',
};
