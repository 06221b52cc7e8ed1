import { StatusBadge } from '../ui/status-badge';

/** Marks a record in a list that the service cannot read any more. */
export function DamagedBadge() {
  return <StatusBadge level="warning">Damaged</StatusBadge>;
}

/** Names the missing parts of a damaged record. */
export function DamageNotice({ missing }: { readonly missing: string }) {
  return (
    <p role="note">
      <DamagedBadge /> {missing} cannot be read: the stored data of this record is damaged. Everything else is shown as
      received.
    </p>
  );
}
