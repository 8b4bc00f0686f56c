/** The label of a copy button, with room to say that it copied. */
export function CopyLabel({ shown, what, done }: { shown: string; what?: string; done: string }) {
  return (
    <>
      {what ? (
        <>
          <span aria-hidden="true">{shown}</span>
          <span className="sr-only">{what}</span>
        </>
      ) : (
        shown
      )}
      <span role="status" className="sr-only" data-done={`✓ ${done}`} />
    </>
  );
}
