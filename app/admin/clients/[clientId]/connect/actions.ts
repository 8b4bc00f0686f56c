'use server';

import { clientActs } from '#lib/management/client/acts.ts';
import { pageText } from '../../../../locale.ts';
import { textOf } from '../../../act.ts';
import { doing, shown } from '../../../doing.ts';
import type { CheckedSite } from './checked-site.ts';

/** Calls an app's guarded sites, and shows what came through their proxy. */
export const checkSites = doing(
  clientActs.checkSites,
  (form) => ({ client_id: textOf(form, 'client') }),
  async ({ sites }) => {
    const text = await pageText();
    const said = sites.map(({ site, findings }) => ({
      site,
      findings: findings.map(({ check, ...rest }) => ({
        what: text(`guard.checks.${check}`),
        todo: text(`guard.todo.${check}`),
        ...rest,
      })),
    }));
    return shown<CheckedSite[]>(said);
  },
);
