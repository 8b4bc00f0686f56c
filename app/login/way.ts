import { safeReturnTo } from '#lib/interaction/return-to.ts';

type Said = string | string[] | undefined;

/** The parameters of a page of a sign-in that say where it leads. */
export type WayParams = Promise<{ flow?: Said; back?: Said }>;

/** Where a sign-in leads, as the address of its page says. */
export async function wayIn(searchParams: WayParams) {
  const { flow, back } = await searchParams;
  return { sealed: flow?.toString(), back: safeReturnTo(back?.toString()) };
}
