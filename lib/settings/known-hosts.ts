/** Makers of apps that register themselves by metadata documents, and the hosts that these lie at. */
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

/** The value of a maker in a form. */
export const knownValue = ({ hosts }: { hosts: readonly string[] }): string => hosts.join(' ');

/** The makers whose hosts are all among these, and what else is. */
export function splitHosts(hosts: readonly string[]): { known: string[]; others: string[] } {
  const known = knownHosts.filter((maker) => maker.hosts.every((host) => hosts.includes(host)));
  const theirs = new Set<string>(known.flatMap((maker) => maker.hosts));
  return { known: known.map(knownValue), others: hosts.filter((host) => !theirs.has(host)) };
}

/** Hosts as they were chosen and typed, each once; those that were there before stand first, as they stood. */
export function joinHosts(known: readonly string[], typed: string, before: string): string {
  const words = (text: string) => text.split(/[\s,]+/).filter(Boolean);
  const chosen = new Set([...known.flatMap(words), ...words(typed)]);
  const stay = words(before).filter((host) => chosen.has(host));
  return [...new Set([...stay, ...chosen])].join(', ');
}
