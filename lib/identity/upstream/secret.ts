import { z } from 'zod';
import { sealed } from '../../sealed/sealed.ts';
import { listProviders, type Provider, resealProvider } from '../../store/providers.ts';

/** As the database holds it: a client secret, or Apple's private key (PKCS #8). */
export const sealedProviderSecret = sealed('provider', z.string(), { max: 20_000 });

/**
 * The client secret of a provider, or Apple's private key; null where it has none. 'lost': the
 * server's secret does not open it, and somebody has to enter it again.
 */
export async function openProviderSecret({
  sealedSecret: text,
}: Pick<Provider, 'sealedSecret'>): Promise<{ secret: string | null } | 'lost'> {
  if (text === null) return { secret: null };
  const secret = await sealedProviderSecret.open(text);
  return secret === null ? 'lost' : { secret };
}

/**
 * Seals with the current server secret what is sealed with one that it replaced. Called at every
 * start and by the jobs. Gives the providers whose secret is lost.
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
