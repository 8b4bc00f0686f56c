import { config } from '#lib/config.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { sentencesIn } from '#lib/messages/text.ts';
import { judgeAnswers } from '#lib/recipes/answers.ts';
import { redirectUrisOf } from '#lib/recipes/fill.ts';
import { allRecipes, findRecipe } from '#lib/recipes/list.ts';
import { recipeOf } from '#lib/recipes/origin.ts';
import type { Recipe } from '#lib/recipes/recipe.ts';
import { pageText } from '../../locale.ts';
import { Button } from '../button.tsx';
import { Card } from '../card.tsx';
import { Field } from '../field.tsx';
import { Input } from '../input.tsx';
import { NoticeBox } from '../notice-box.tsx';
import { Select } from '../select.tsx';
import { answerField } from './answer-field.ts';
import { guideOf } from './guide.ts';
import { GuideCards } from './guide-cards.tsx';

type Query = Readonly<Record<string, string>>;

/** What to paste where, from the recipe the app was made from or from another one chosen here. */
export async function GuideSection({
  client,
  query,
  page,
  settings,
}: {
  client: ClientRecord;
  query: Query;
  page: string;
  /** Where the app is changed, for people who may change it. */
  settings?: string;
}) {
  const text = await pageText();
  const made = recipeOf(client.recipe);
  const recipe = findRecipe(query.recipe ?? '') ?? (query.recipe === '' ? undefined : made?.recipe);
  const typed = recipe ? answersFor(recipe, client, query) : {};
  const judged = recipe && judgeAnswers(recipe, typed);
  const faults = sentencesIn(text.locale, judged?.faults ?? {});
  const asked = recipe && query.recipe === recipe.id && Object.keys(query).length > 1;
  return (
    <>
      <Card id="guide" title={text('app.guide')} text={text('app.guideText')}>
        <form
          action={`${page}#guide`}
          className="grid gap-4 sm:max-w-xl"
          aria-label={text('app.guide')}
        >
          <Field name="recipe" label={text('app.guideFor')}>
            {(control) => (
              <Select
                key={recipe?.id}
                {...control}
                defaultValue={recipe?.id ?? ''}
                options={[
                  { value: '', label: text('app.guideNone') },
                  ...allRecipes().map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            )}
          </Field>
          {recipe &&
            Object.entries(recipe.questions).map(([name, { label, hint, placeholder }]) => (
              <Field
                key={`${recipe.id} ${name}`}
                name={answerField(name)}
                label={label}
                hint={hint}
                error={asked ? faults[name] : undefined}
              >
                {(control) => (
                  <Input
                    {...control}
                    defaultValue={typed[name]}
                    placeholder={placeholder}
                    autoComplete="off"
                    autoCapitalize="none"
                    spellCheck={false}
                    maxLength={300}
                  />
                )}
              </Field>
            ))}
          <div>
            <Button kind="secondary">{text('app.guideShow')}</Button>
          </div>
        </form>
      </Card>
      {recipe && judged?.answers && (
        <>
          <Unregistered
            client={client}
            uris={redirectUrisOf(recipe, judged.answers)}
            settings={settings}
          />
          <GuideCards guide={guideFor(recipe, judged.answers, client)} />
        </>
      )}
    </>
  );
}

/**
 * The answers typed here, else the ones the app was made with, else those its addresses suggest.
 */
function answersFor(recipe: Recipe, client: ClientRecord, query: Query): Record<string, string> {
  const made = recipeOf(client.recipe)?.typed ?? {};
  const answers = Object.entries(recipe.questions).map(([name, { kind, suggestion }]) => {
    const known = kind === 'origin' || kind === 'site' ? homeOf(client) : undefined;
    return [name, query[answerField(name)] ?? made[name] ?? known ?? suggestion] as const;
  });
  return Object.fromEntries(answers);
}

/** The origin of the app, as far as its addresses reveal it. */
function homeOf({ homePage, redirectUris }: ClientRecord): string | undefined {
  const [address = ''] = [homePage, ...redirectUris].filter((uri) => /^https?:/.test(uri ?? ''));
  return address && URL.canParse(address) ? new URL(address).origin : undefined;
}

function guideFor(recipe: Recipe, answers: Record<string, string>, client: ClientRecord) {
  const { issuer } = config();
  return guideOf(recipe, answers, { clientId: client.id, secret: null, issuer });
}

/** The app would be refused: its requests name addresses it hasn't registered. */
async function Unregistered({
  client,
  uris,
  settings,
}: {
  client: ClientRecord;
  uris: readonly string[];
  settings: string | undefined;
}) {
  const text = await pageText();
  const missing = uris.filter((uri) => !client.redirectUris.includes(uri));
  if (missing.length === 0) return null;
  return (
    <NoticeBox kind="warning" word={text('frame.notice.warning')} title={text('app.unregistered')}>
      <ul>
        {missing.map((uri) => (
          <li key={uri}>
            <code className="break-all">{uri}</code>
          </li>
        ))}
      </ul>
      {settings && (
        <p className="mt-1">
          <a className="gh-link font-semibold" href={`${settings}#addresses`}>
            {text('app.redirectAdd')}
          </a>
        </p>
      )}
    </NoticeBox>
  );
}
