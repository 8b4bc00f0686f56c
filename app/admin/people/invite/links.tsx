import { pageText } from '../../../locale.ts';
import { Submit } from '../../ui/forms/submit.tsx';
import { LinksForm } from './links-form.tsx';

/** Offers links for these invitations, where no email can be sent. */
export async function Links({ ids }: { ids: readonly string[] }) {
  const text = await pageText();
  return (
    <LinksForm>
      <p>{text('links.text')}</p>
      {ids.map((id) => (
        <input key={id} type="hidden" name="id" value={id} />
      ))}
      <div>
        <Submit>{text('links.make', { count: ids.length })}</Submit>
      </div>
    </LinksForm>
  );
}
