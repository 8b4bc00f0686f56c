import { pageRequest } from '#lib/http/next.ts';
import { pageText } from '../../locale.ts';
import { pageZone } from '../../zone.ts';

/** The script of lists (public/dashboard.js), which is given the time zone of the shown times. */
export async function DashboardScript() {
  const text = await pageText();
  const words = { close: text('table.close'), page: text('table.asPage') };
  return (
    <script
      async
      src="/dashboard.js"
      nonce={(await pageRequest()).header('x-nonce')}
      data-zone={await pageZone()}
      data-words={JSON.stringify(words)}
    />
  );
}
