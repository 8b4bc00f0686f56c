'use server';

import { pageRequest } from '#lib/http/next.ts';
import { knownOption } from '../../../../params.ts';
import { act, textOf } from '../../../act.ts';
import type { FormState } from '../../../ui/forms/state.ts';
import { callWithTokens, redeemTrial, type TrialShown, trialCalls } from './trial-steps.ts';

/** Makes the next request of a trial: exchanges the code for tokens, or uses these tokens. */
export async function continueTrial(
  _: FormState<TrialShown>,
  form: FormData,
): Promise<FormState<TrialShown>> {
  return act<TrialShown>('fresh-admin', form, async ({ session, now }) => {
    const request = await pageRequest();
    const acting = { request, session, clientId: textOf(form, 'client'), now };
    const call = knownOption(trialCalls, textOf(form, 'call'));
    const result = call
      ? await callWithTokens(call, textOf(form, 'held'), acting)
      : await redeemTrial(textOf(form, 'answer'), acting);
    return { serial: now.getTime(), faults: {}, result };
  });
}
