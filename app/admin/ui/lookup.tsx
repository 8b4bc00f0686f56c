import { QuickLink } from './quick-link.tsx';

/** Possible meanings of a typed text, as links. */
export function Lookup({
  question,
  choices,
}: {
  question: string;
  choices: readonly { label: string; href: string }[];
}) {
  return (
    <div className="rounded-xl border border-line bg-surface px-4 py-3 text-sm">
      <p className="font-semibold">{question}</p>
      {choices.length > 0 && (
        <ul className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
          {choices.map(({ label, href }) => (
            <li key={href}>
              <QuickLink className="gh-link inline-block py-1" href={href}>
                <bdi>{label}</bdi>
              </QuickLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
