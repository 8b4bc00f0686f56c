import { suggestedName } from '#lib/recipes/fill.ts';
import type { Recipe } from '#lib/recipes/recipe.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { answerField } from '../../../ui/connect/answer-field.ts';
import { Hidden } from '../../../ui/hidden.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { AccessQuestion } from './access-question.tsx';
import type { Carried } from './carried.ts';
import { ConnectForm } from './connect-form.tsx';
import { StateHeader } from './frame.tsx';
import { OtherChoice } from './other-choice.tsx';
import { PlainHttpTick } from './plain-http-tick.tsx';
import { StrengthQuestion } from './strength-question.tsx';

type Props = { recipe: Recipe; id: string; carried: Carried };

/** The questions of one recipe. It does not ask for settings that the recipe decides. */
export async function RecipePage({ recipe, id, carried }: Props) {
  const text = await pageText();
  const questions = Object.entries(recipe.questions);
  const fields = questions.map(([question]) => answerField(question));
  return (
    <div className="max-w-3xl">
      <ConnectForm key={recipe.id} className="grid grid-cols-[minmax(0,1fr)] *:data-refusal:mb-4">
        <StateHeader
          title={text('connect.recipeTitle', { name: recipe.name })}
          text={`${recipe.summary}. ${text('connect.recipeLead', { count: questions.length })}`}
        />
        <Card>
          <div className="grid gap-5">
            <Hidden fields={{ recipe: recipe.id, id }} />
            {questions.map(([question, { label, hint, placeholder, suggestion, kind }]) => (
              <TextField
                key={question}
                name={answerField(question)}
                label={label}
                hint={hint}
                placeholder={placeholder}
                defaultValue={carried[answerField(question)] ?? suggestion}
                inputMode={kind === 'origin' || kind === 'site' ? 'url' : undefined}
                asTyped
                required
                maxLength={300}
              />
            ))}
            <PlainHttpTick fields={fields} initial={carried} />
            <TextField
              name="name"
              label={text('clients.name')}
              hint={text('connect.nameHint')}
              defaultValue={carried.name ?? suggestedName(recipe)}
              required
              maxLength={100}
            />
            <StrengthQuestion />
            <AccessQuestion />
            <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
              <Submit>{text('connect.create')}</Submit>
              <OtherChoice />
            </div>
          </div>
        </Card>
      </ConnectForm>
    </div>
  );
}
