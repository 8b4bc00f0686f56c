import { pageText } from '../../../locale.ts';

/**
 * Returns to the choice of apps with what was typed, by sending the form itself there. This button
 * comes after the one that adds the app, because Enter presses the first button of a form.
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
