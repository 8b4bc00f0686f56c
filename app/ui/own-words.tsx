import { Fragment } from 'react';
import { config } from '#lib/config.ts';
import type { FacedApp } from '#lib/interaction/app-page.ts';
import { productName } from '#lib/messages/text.ts';
import {
  filled,
  lineFor,
  ownTexts,
  type Piece,
  type Place,
  plainOf,
  type Texts,
} from '#lib/own-words.ts';
import { stripBidi, UserText } from './user-text.tsx';

/** The operator's own words on a page. */
export type PageWords = {
  title: string | undefined;
  lead: readonly Piece[] | undefined;
  help: readonly Piece[] | undefined;
};

/** @param texts what is typed so far, for a preview; without them, what is stored */
export function pageWords(
  place: Place,
  locale: string,
  texts: Texts = ownTexts(place, locale),
): PageWords {
  const values = serverValues();
  const { title, lead, help } = texts;
  return {
    title: plainOf(filled(title, values)),
    lead: filled(lead, values),
    help: filled(help, values),
  };
}

const serverValues = () => ({ product: productName(), host: new URL(config().issuer).host });

/**
 * What the operator says, in a look that no message of ours has: beside a line, without a symbol or
 * a colour of its own.
 */
export function OwnWords({ words }: { words: readonly Piece[] | undefined }) {
  return (
    words && (
      <p className="gh-own" dir="auto">
        <Pieces pieces={words} />
      </p>
    )
  );
}

type AppLineProps = { app: Pick<FacedApp, 'lines'> | undefined; locale: string };

/** The operator's line on the pages of an app. */
export function AppLine({ app, locale }: AppLineProps) {
  return <OwnWords words={filled(lineFor(app?.lines ?? {}, locale), serverValues())} />;
}

/** Pieces of a text with their marks. */
export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map((piece, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and do not move
    return <Marked key={at} {...piece} />;
  });
}

function Marked({ text, bold, italic, href, isValue }: Piece) {
  const said = isValue ? <UserText text={text} /> : <Lines lines={text.split('\n')} />;
  const strong = bold ? <strong className="font-semibold">{said}</strong> : said;
  const shown = italic ? <em>{strong}</em> : strong;
  return href === undefined ? (
    shown
  ) : (
    <a className="gh-link" href={href} rel="noreferrer">
      {shown}
    </a>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and do not move
    <Fragment key={at}>
      {at > 0 && <br />}
      {stripBidi(line)}
    </Fragment>
  ));
}
