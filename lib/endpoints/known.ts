import type { Known } from '../oauth/token-target.ts';
import { apisAt } from '../store/apis.ts';
import { scopesAt } from '../store/scopes.ts';

export async function knownAt(revision: number): Promise<Known> {
  const apis = await apisAt(revision);
  const scopes = await scopesAt(revision);
  return { apis, scopes: new Set(scopes.map(({ name }) => name)) };
}
