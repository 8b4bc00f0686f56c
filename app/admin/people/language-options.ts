import { languages, offeredLocales } from '#lib/messages/locales.ts';
import type { Text } from '#lib/messages/text.ts';
import type { Option } from '../../ui/select.tsx';

/** The languages of the screens for someone who is invited; the first leaves it to their browser. */
export const languageOptions = (text: Text): Option[] => [
  { value: '', label: text('profile.localeBrowser') },
  ...offeredLocales.map((tag) => ({ value: tag, label: languages[tag].name })),
];
