import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { RecipeList } from '../../clients/new/recipe-list.tsx';
import { QuickButton } from '../../ui/quick-link.tsx';
import { SetUpFrame } from '../frame.tsx';

/** Step 3: adding the first app. */
export default async function SetUpAppPage() {
  await guardPage('/admin/set-up/app');
  const text = await pageText();
  return (
    <SetUpFrame step="app">
      <p>
        <QuickButton kind="secondary" href="/admin">
          {text('setUp.finish')}
        </QuickButton>
      </p>
      <RecipeList search="" carried={{}} />
    </SetUpFrame>
  );
}
