/** What stands on a button that copies, with room for saying that it did. */
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
