import { pageText } from '../../../locale.ts';

/**
 * Leads back to the choice of apps, with what was typed: the form itself goes there. It stands
 * behind the button that adds the app, since Enter presses the first of a form.
 */
export async function OtherChoice() {
  const text = await pageText();
  return (
    <button
      type="submit"
      formMethod="get"
      formAction="/admin/clients/new"
      formNoValidate
      name="choose"
      value="app"
      className="gh-link py-1 text-sm"
    >
      {text('connect.other')}
    </button>
  );
}
