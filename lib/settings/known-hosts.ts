/** Makers whose apps register themselves with metadata documents, and the documents' hosts. */
export const knownHosts = [
  { name: 'Claude and Claude Code', hosts: ['claude.ai'] },
  { name: 'ChatGPT and Codex', hosts: ['chatgpt.com'] },
  { name: 'Visual Studio Code', hosts: ['vscode.dev', 'insiders.vscode.dev'] },
  { name: 'Zed', hosts: ['zed.dev'] },
  { name: 'opencode', hosts: ['opencode.ai'] },
  { name: 'Goose', hosts: ['goose-docs.ai'] },
  { name: 'Notion', hosts: ['www.notion.so', 'app.notion.com'] },
  { name: 'MCPJam Inspector', hosts: ['www.mcpjam.com'] },
] as const;

/** The form value of a maker. */
export const knownValue = ({ hosts }: { hosts: readonly string[] }): string => hosts.join(' ');

/** The makers whose hosts are all in this list, and the remaining hosts. */
export function splitHosts(hosts: readonly string[]): { known: string[]; others: string[] } {
  const known = knownHosts.filter((maker) => maker.hosts.every((host) => hosts.includes(host)));
  const theirs = new Set<string>(known.flatMap((maker) => maker.hosts));
  return { known: known.map(knownValue), others: hosts.filter((host) => !theirs.has(host)) };
}

/** Each host once. Those that were in the list come first, in their old order. */
export function joinHosts(known: readonly string[], typed: string, before: string): string {
  const words = (text: string) => text.split(/[\s,]+/).filter(Boolean);
  const chosen = new Set([...known.flatMap(words), ...words(typed)]);
  const stay = words(before).filter((host) => chosen.has(host));
  return [...new Set([...stay, ...chosen])].join(', ');
}
