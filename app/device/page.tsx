import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { sayIn } from '#lib/messages/text.ts';
import { pageLocale } from '../locale.ts';
import { queryValue } from '../params.ts';
import { waitIn } from '../wait.ts';
import { readDeviceScreen } from './screen.ts';
import { DeviceView } from './view.tsx';

type Props = { searchParams: Promise<{ user_code?: string | string[] }> };

export default async function DevicePage({ searchParams }: Props) {
  const typed = queryValue((await searchParams).user_code) ?? '';
  const screen = await readDeviceScreen(await pageRequest(), typed, new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { csrf, code, notice } = screen;
  const locale = await pageLocale();
  const say = sayIn(locale);
  return (
    <DeviceView
      locale={locale}
      host={issuerHost()}
      csrf={csrf}
      code={code}
      error={say(notice?.error, { wait: waitIn(locale, notice) })}
      fieldErrors={{ user_code: say(notice?.fieldErrors?.user_code) }}
    />
  );
}
