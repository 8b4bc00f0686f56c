import { randomBytes } from 'node:crypto';
import type { Api } from '#lib/oauth/api.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { prisma } from './prisma.ts';

type ApiOptions = Partial<Omit<Api, 'id' | 'scopes'>> & { scopes?: readonly string[] };

/**
 * Stores an API with a unique identifier. Without options, every client made by an admin may ask
 * for it.
 */
export async function newApi(
  options: ApiOptions = {},
): Promise<{ id: string; identifier: string }> {
  const id = `api-${randomBytes(6).toString('hex')}`;
  const {
    identifier = `https://${id}.example/mcp`,
    scopes = [],
    askedBy = [],
    servedBy = [],
    ...rest
  } = options;
  const now = new Date();
  const listed = (kind: string, clients: readonly string[]) =>
    clients.map((clientId) => ({ clientId, kind, createdAt: now }));
  await (await prisma()).api.create({
    data: {
      name: `API ${id}`,
      createdAt: now,
      updatedAt: now,
      ...rest,
      id,
      identifier,
      scopes: {
        create: scopes.map((name, position) => ({ name, description: `May ${name}`, position })),
      },
      clients: { create: [...listed('asks', askedBy), ...listed('serves', servedBy)] },
    },
  });
  await raiseRevision();
  return { id, identifier };
}

/** Changes an API, or deletes it if `data` is null. */
export async function changeApi(id: string, data: Partial<Pick<Api, 'access'>> | null) {
  const { api } = await prisma();
  await (data ? api.update({ where: { id }, data }) : api.delete({ where: { id } }));
  await raiseRevision();
}
