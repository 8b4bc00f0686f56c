import { safeReturnTo } from '#lib/interaction/return-to.ts';

type Said = string | string[] | undefined;

/** The query parameters of a sign-in page that say where the sign-in leads. */
export type WayParams = Promise<{ flow?: Said; back?: Said }>;

/** Where a sign-in leads, according to the address of its page. */
export async function wayIn(searchParams: WayParams) {
  const { flow, back } = await searchParams;
  return { sealed: flow?.toString(), back: safeReturnTo(back?.toString()) };
}
