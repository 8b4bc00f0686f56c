/** A sentence with `{name}` holes of the dashboard's own words, split there. */
export function piecesOf(sentence: string): ({ text: string } | { hole: string })[] {
  return sentence
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? { hole: part } : { text: part }))
    .filter((piece) => 'hole' in piece || piece.text !== '');
}
