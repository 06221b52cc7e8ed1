import { StatusBadge } from '../ui/status-badge';

/** Marks a record in a list that the service cannot read any more. */
export function DamagedBadge() {
  return <StatusBadge level="warning">Damaged</StatusBadge>;
}

/** Says what of a damaged record is missing. */
export function DamageNotice({ missing }: { readonly missing: string }) {
  return (
    <p role="note">
      <DamagedBadge /> {missing} cannot be read: what the service has stored of this record is damaged. Everything else
      is as it was received.
    </p>
  );
}
