import { signInAt } from '#lib/interaction/return-to.ts';
import { attemptFor } from '#lib/management/attempt/attempt-shown.ts';
import type { Trace } from '#lib/management/attempt/traces.ts';
import { docsWords as words } from '#lib/messages/docs.ts';
import { currentSession } from '../../../guards.ts';
import { StepCard } from '../../../ui/attempts/step-card.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { UserText } from '../../../ui/user-text.tsx';

type Props = { code: string; requestId: string };

/**
 * The request that led here, with its reason, for readers who may see it. Everyone else sees the
 * same text whether or not there was such a request.
 */
export async function Attempt({ code, requestId }: Props) {
  const session = await currentSession();
  const attempt = session ? await attemptFor(session.user, requestId) : 'hidden';
  return (
    <section className="mb-8 grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="text-lg font-semibold tracking-tight">{words.attempt}</h2>
      {attempt === 'none' && <p>{words.attemptNone}</p>}
      {attempt === 'hidden' && (
        <>
          <p>{words.attemptHidden}</p>
          <p>{words.attemptContact(requestId)}</p>
          {!session && (
            <p>
              <ButtonLink kind="secondary" href={signInAt(addressOf(code, requestId))}>
                {words.attemptSignIn}
              </ButtonLink>
            </p>
          )}
        </>
      )}
      {typeof attempt === 'object' && (
        <>
          <RefusedStep trace={attempt.trace} requestId={requestId} />
          <p>
            <ButtonLink href={attempt.page}>{words.attemptWhole}</ButtonLink>
          </p>
        </>
      )}
    </section>
  );
}

const addressOf = (code: string, requestId: string) => `/docs/errors/${code}?request=${requestId}`;

function RefusedStep({ trace, requestId }: { trace: Trace; requestId: string }) {
  const step = trace.steps.find((each) => each.requestId === requestId);
  return (
    <>
      {trace.clientName !== null && (
        <p>
          <UserText text={trace.clientName} />
        </p>
      )}
      {step && (
        <ul>
          <StepCard step={step} />
        </ul>
      )}
    </>
  );
}
