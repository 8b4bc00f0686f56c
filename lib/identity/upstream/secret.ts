import { z } from 'zod';
import { sealed } from '../../sealed/sealed.ts';
import { listProviders, type Provider, resealProvider } from '../../store/providers.ts';

/** As stored in the database: a client secret, or Apple's private key (PKCS #8). */
export const sealedProviderSecret = sealed('provider', z.string(), { max: 20_000 });

/**
 * A provider's client secret, or Apple's private key; null if it has none. 'lost': the server's
 * secret does not open it, so an admin has to enter it again.
 */
export async function openProviderSecret({
  sealedSecret: text,
}: Pick<Provider, 'sealedSecret'>): Promise<{ secret: string | null } | 'lost'> {
  if (text === null) return { secret: null };
  const secret = await sealedProviderSecret.open(text);
  return secret === null ? 'lost' : { secret };
}

/**
 * Reseals with the current server secret whatever was sealed with an older one. Called at every
 * start and by the jobs. Returns the providers whose secret is lost.
 */
export async function resealProviderSecrets(): Promise<Provider[]> {
  const lost: Provider[] = [];
  for (const provider of await listProviders()) {
    const { id, sealedSecret: before } = provider;
    const opened = await openProviderSecret(provider);
    if (opened === 'lost') lost.push(provider);
    else if (before !== null && opened.secret !== null && !sealedProviderSecret.isCurrent(before))
      await resealProvider(id, before, await sealedProviderSecret.seal(opened.secret));
  }
  return lost;
}
