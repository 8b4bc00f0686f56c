import { findClientRecord } from '../../store/client-list.ts';
import type { Trace } from '../../store/trace-list.ts';
import { type Fix, fixesOf, isForFile } from './trace-fixes.ts';

/**
 * The commands that make the changes which would let the refused requests of an attempt through, by
 * the id of the request. There is none where the evidence is too weak, or where the change belongs
 * into the configuration file.
 */
export async function fixCommands(trace: Trace): Promise<ReadonlyMap<string, string>> {
  const client = trace.clientId === null ? null : await findClientRecord(trace.clientId);
  const commands = new Map<string, string>();
  for (const [request, fix] of client ? await fixesOf(trace, client, []) : []) {
    const command = commandOf(trace.id, request, fix);
    if (command && client && !(await isForFile(fix, client.id))) commands.set(request, command);
  }
  return commands;
}

function commandOf(attempt: string, request: string, { way }: Fix): string | null {
  if (way.by === 'setting') return null;
  // Strangers choose the addresses that they send, and somebody pastes this into a shell.
  if (way.by === 'typing' && way.place.includes("'")) return null;
  const place = way.by === 'typing' ? ` --place '${way.place}'` : '';
  return `npm run cli -- trace fix ${attempt} --request ${request}${place}`;
}
