import { setSetting } from '#lib/management/setting/settings.ts';

/** Changes a setting as the command line does; null restores its default. @throws AdminRefusal */
export const set = (name: string, text: string | null) =>
  setSetting(name, text, { id: 'cli' }, new Date());
