import { pageRequest } from '#lib/http/next.ts';

/** The script of pages outside the dashboard. If several are on a page, React keeps one. */
export async function PageScript() {
  const request = await pageRequest();
  return <script async src="/enhance.js" nonce={request.header('x-nonce')} />;
}
