import { keyInUse, tokenKeysAt } from '#lib/identity/token-keys.ts';
import { openToken } from '#lib/identity/tokens.ts';
import { makeToken, type Token } from '#lib/oauth/tokens.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { prisma } from './prisma.ts';

/** The contents of a code or token of this server. @throws Error for anything else */
export async function readToken(text: string): Promise<Token> {
  const token = await openToken(text, 'code', 'accessToken', 'refreshToken', 'clientToken');
  if (!token) throw new Error('This is no token of ours.');
  return token;
}

/** A token with other contents, made with the server's own key, such as one of another moment. */
export async function remade(text: string, change: Partial<Token>): Promise<string> {
  const key = keyInUse(await tokenKeysAt(await readRevision()), new Date());
  return makeToken({ ...(await readToken(text)), ...change }, key);
}

/** The row that a code or token belongs to. */
export async function authorizationOf(text: string) {
  const { id } = await readToken(text);
  return (await prisma()).authorization.findUniqueOrThrow({ where: { id } });
}

type Change = Parameters<Awaited<ReturnType<typeof prisma>>['authorization']['update']>[0]['data'];

/** Changes the row of an authorization, as if something had happened to it. */
export async function changeAuthorization(text: string, data: Change): Promise<void> {
  const { id } = await readToken(text);
  await (await prisma()).authorization.update({ where: { id }, data });
}
