'use client';

import { useText } from '../../ui/browser-text.tsx';
import { TextField, TickField } from '../ui/forms/fields.tsx';

type Who = { username: string; name: string | null; email: string; emailVerified: boolean };

type WhoProps = {
  /** Absent for a new person. */
  person?: Who;
  /** Says what follows if the address is marked as verified. */
  verifiedHint: string;
};

/** The fields for a person's names and address. */
export function WhoFields({ person, verifiedHint }: WhoProps) {
  const text = useText();
  return (
    <div className="grid items-start gap-5 md:grid-cols-2">
      <TextField
        name="username"
        label={text('people.username')}
        hint={text('people.usernameHint')}
        required
        maxLength={64}
        asTyped
        defaultValue={person?.username}
      />
      <TextField
        name="name"
        label={text('people.name')}
        optional
        maxLength={200}
        defaultValue={person?.name ?? ''}
      />
      <TextField
        name="email"
        type="email"
        label={text('people.email')}
        required
        maxLength={254}
        spellCheck={false}
        defaultValue={person?.email}
      />
      <div className="md:pt-7">
        <TickField
          name="emailVerified"
          label={text('people.emailVerified')}
          hint={verifiedHint}
          initial={person?.emailVerified}
        />
      </div>
    </div>
  );
}
