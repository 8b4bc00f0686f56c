import { consenting } from './withdrawals.ts';

/** An authorization that no code was redeemed for: it is of another one, or another server granted it. */
export type WithoutCode = {
  id: string;
  clientId: string;
  clientEpoch: number;
  grantId: string;
  /** What the grant of the client must hold in this instant. */
  consented: readonly string[];
  scope: string;
  resources: readonly string[];
  /** When it ends. */
  endsAt: Date;
};

/** What is said of one, as parameters of the statement that stores it. */
export function storedAs<Said extends WithoutCode>(
  { consented, resources, ...said }: Said,
  now: Date,
) {
  return { ...said, ...consenting(consented), resources: resources.join(' '), now };
}
