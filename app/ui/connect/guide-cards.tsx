'use client';

import { howKnown } from '#lib/recipes/checked.ts';
import type { FilledBlock } from '#lib/recipes/recipe.ts';
import { useText } from '../browser-text.tsx';
import { Card } from '../card.tsx';
import { CopyButton } from '../copy-button.tsx';
import { NoticeBox } from '../notice-box.tsx';
import type { Guide } from './guide.ts';

type Props = {
  guide: Guide;
  /** The guide's texts contain a secret. */
  keeps?: boolean;
};

/**
 * The steps, the text to paste, the most common mistake, and how well all of it has been checked.
 */
export function GuideCards({ guide, keeps }: Props) {
  const text = useText();
  const { steps, trap, blocks } = guide;
  return (
    <>
      <Card id="steps" title={text('connect.steps')}>
        <ol className="grid list-decimal gap-2 ps-5">
          {steps.map((step) => (
            <li key={step} className="wrap-anywhere">
              {step}
            </li>
          ))}
        </ol>
      </Card>
      <Card id="blocks" title={text('connect.blocks')}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {blocks.map((block) => (
            <Block key={block.title} block={block} keeps={keeps} />
          ))}
          <NoticeBox kind="info" word={text('frame.notice.info')} title={text('connect.trap')}>
            {trap}
          </NoticeBox>
          <Source guide={guide} />
        </div>
      </Card>
    </>
  );
}

/** One text to paste, with a button that copies it. */
export function Block({ block, keeps }: { block: FilledBlock; keeps?: boolean }) {
  const words = useText();
  const { title, text, fields } = block;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="min-w-0 text-sm font-semibold wrap-anywhere">{title}</h3>
        {!fields && (
          <CopyButton
            text={text.trimEnd()}
            what={words('connect.copyBlock', { title })}
            keeps={keeps}
          />
        )}
      </div>
      {fields ? (
        <dl className="divide-y divide-line rounded-xl border border-line bg-sunken">
          {fields.map(([label, value]) => (
            <div
              key={label}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
            >
              <dt className="text-sm text-ink-soft max-sm:col-span-2">{label}</dt>
              <dd className="min-w-0">
                <code className="text-sm break-all select-all">{value}</code>
              </dd>
              <dd className="empty:hidden">
                <CopyButton
                  text={value}
                  what={words('connect.copyValue', { label })}
                  keeps={keeps}
                />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <pre
          // A long one scrolls, so keys have to reach it.
          {...(narrowRows(text) > 20 && {
            tabIndex: 0,
            role: 'group',
            'aria-label': title,
          })}
          className="max-h-128 overflow-y-auto rounded-xl border border-line bg-sunken px-4 py-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap select-all"
        >
          {text.trimEnd()}
        </pre>
      )}
    </div>
  );
}

/** At least as many rows as a text takes in a window of 320 px. */
const narrowRows = (text: string) => text.split('\n').length + text.length / 30;

function Source({ guide }: Props) {
  const text = useText();
  const { source } = guide;
  return (
    <div className="text-sm text-ink-soft">
      <p>{howKnown(text, guide)}</p>
      <details className="mt-1">
        <summary className="w-fit cursor-pointer py-1">{text('connect.sourcePages')}</summary>
        <ul className="mt-1 grid list-disc gap-1 ps-5">
          {source.pages.map((page) => (
            <li key={page}>{page}</li>
          ))}
        </ul>
        {source.notChecked.length > 0 && (
          <>
            <p className="mt-2">{text('connect.notChecked')}:</p>
            <ul className="mt-1 grid list-disc gap-1 ps-5">
              {source.notChecked.map((gap) => (
                <li key={gap}>{gap}</li>
              ))}
            </ul>
          </>
        )}
      </details>
    </div>
  );
}
