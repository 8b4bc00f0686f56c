import { apiPages } from './api.ts';
import { commandLinePage } from './command-line.ts';
import { envExample } from './env-example.ts';
import { errorsPage } from './errors.ts';
import { marksModule } from './marks.ts';
import { routeFiles } from './route-files.ts';
import { settingsPage } from './settings.ts';

/** Every file that is generated from the code, by its path. */
export const generatedFiles = (): Record<string, string> => ({
  'docs/settings.md': settingsPage(),
  'docs/command-line.md': commandLinePage(),
  'docs/errors.md': errorsPage(),
  ...apiPages(),
  ...routeFiles(),
  'lib/marks/recipe-marks.ts': marksModule(),
  '.env.example': envExample(),
});
