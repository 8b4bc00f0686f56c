import { UserText } from '../../../../ui/user-text.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';

type Props = { subject: string; label: string; isPerson?: boolean };

/** Someone a bulk action is for, by the name they had then: a person leads to their page. */
export function Who({ subject, label, isPerson = true }: Props) {
  const name = <UserText text={label} />;
  if (!isPerson) return name;
  return (
    <QuickLink className="gh-link" href={`/admin/people/${encodeURIComponent(subject)}`}>
      {name}
    </QuickLink>
  );
}
