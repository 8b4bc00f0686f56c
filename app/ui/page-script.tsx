import { pageRequest } from '#lib/http/next.ts';

/** The script of pages outside the dashboard. React keeps one of several on a page. */
export async function PageScript() {
  const request = await pageRequest();
  return <script async src="/enhance.js" nonce={request.header('x-nonce')} />;
}
