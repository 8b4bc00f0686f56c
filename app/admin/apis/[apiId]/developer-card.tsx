import { config } from '#lib/config.ts';
import type { ApiRecord } from '#lib/management/api/apis.ts';
import { type Checker, checkersOf } from '#lib/recipes/api/checkers.ts';
import { publishedBlocks } from '#lib/recipes/api/published.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Block } from '../../../ui/connect/guide-cards.tsx';

/** What the developer of an API publishes about it, and the code to put in front of it. */
export async function DeveloperCard({ api }: { api: ApiRecord }) {
  const text = await pageText();
  const { issuer } = config();
  const scopes = api.scopes.map(({ name }) => name);
  const facts = { ...api, issuer, scopes };
  return (
    <Card id="developer" title={text('apis.developer')} text={text('apis.developerText')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {publishedBlocks(facts).map((block) => (
          <Block key={block.title} block={block} />
        ))}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h3 className="font-semibold">{text('apis.checker')}</h3>
          <p className="text-sm text-ink-soft">
            {text('apis.checkerText')}
            {api.tokenFormat === 'opaque' && ` ${text('apis.checkerSecret')}`}
          </p>
          {checkersOf(facts).map((checker) => (
            <Folded key={checker.id} checker={checker} />
          ))}
        </div>
      </div>
    </Card>
  );
}

/** The code for one language, folded because it is long. */
async function Folded({ checker: { language, file, install, text } }: { checker: Checker }) {
  const words = await pageText();
  const block = { title: file, language: 'text', text, fields: null } as const;
  return (
    <details>
      <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">
        {words('apis.checkerIn', { language })}
      </summary>
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2">
        {install && (
          <p className="text-sm text-ink-soft wrap-anywhere">
            {words('apis.checkerNeeds')} <code className="select-all">{install}</code>
          </p>
        )}
        <Block block={block} />
      </div>
    </details>
  );
}
