'use client';

import { useText } from '../../../../ui/browser-text.tsx';
import { Table } from '../../../../ui/table.tsx';
import { UserText } from '../../../../ui/user-text.tsx';

/** A request or an answer, verbatim. */
export function Raw({ text, label }: { text: string; label: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which must work by keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-xl border border-line bg-sunken p-3"
    >
      <pre className="text-sm break-all whitespace-pre-wrap">
        <code>{text}</code>
      </pre>
    </section>
  );
}

export function Explained({
  caption,
  rows,
  meanings,
}: {
  caption: string;
  rows: readonly { name: string; value: string }[];
  meanings: Readonly<Record<string, string>>;
}) {
  const text = useText();
  return (
    <Table
      caption={caption}
      columns={[
        { key: 'name', label: text('trial.name') },
        { key: 'value', label: text('trial.value') },
        { key: 'meaning', label: text('trial.meaning') },
      ]}
      rows={rows.map(({ name, value }) => ({
        key: `${name} ${value}`,
        cells: {
          name: <code>{name}</code>,
          value: (
            <code className="break-all">
              <UserText text={value} />
            </code>
          ),
          meaning: meanings[name] ?? '',
        },
      }))}
    />
  );
}
