import type { Question } from './recipe.ts';

/** Asks where the program runs, if it is at the root of its host. */
export function originOf(program: string, placeholder: string): Question {
  return {
    kind: 'origin',
    label: `Where does ${program} run?`,
    hint: 'The address people type into their browser.',
    placeholder,
    suggestion: '',
  };
}

/** Asks where the program runs, if it may be below a path. */
export function siteOf(program: string, placeholder: string): Question {
  return {
    ...originOf(program, placeholder),
    kind: 'site',
    hint: 'The address people type into their browser, up to where the program starts.',
  };
}

/** Asks where the developer's own app runs while it is being written. */
export function appAddress(suggestion: string): Question {
  return {
    kind: 'origin',
    label: 'Where does your app run?',
    hint: 'Start with the address on your own machine. Add the public one later.',
    placeholder: suggestion,
    suggestion,
  };
}

/** Asks for the name that the program gives to this server, which is part of the redirect URI. */
export function providerName(label: string, suggestion = 'gatehouse'): Question {
  return {
    kind: 'name',
    label,
    hint: 'It’s part of the redirect URI. Use the same name in both places.',
    placeholder: suggestion,
    suggestion,
  };
}

/** Asks for the MCP server that an AI app uses. */
export const mcpServerAddress: Question = {
  kind: 'site',
  label: 'Where is the MCP server?',
  hint: 'Its whole address, which is also the identifier of its API here.',
  placeholder: 'https://mcp.example.org/mcp',
  suggestion: '',
};
