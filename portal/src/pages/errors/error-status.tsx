import { TimeTravelLink } from '../../time/time-travel-link';
import { StatusBadge, type StatusLevel } from '../../ui/status-badge';
import type { ErrorGroup } from './error-queries';

export const ERROR_STATUSES = ['open', 'resolved', 'reopened'] as const;
type ErrorStatus = (typeof ERROR_STATUSES)[number];

export const ERROR_STATUS_LABELS: Readonly<Record<ErrorStatus, string>> = {
  open: 'Open',
  resolved: 'Resolved',
  reopened: 'Reopened',
};

const LEVELS: Readonly<Record<ErrorStatus, StatusLevel>> = { open: 'unknown', resolved: 'good', reopened: 'warning' };

/** Without a status, it could not be read in time whether a resolved group has occurred again. */
export function ErrorStatusBadge({ status }: { readonly status: ErrorStatus | undefined }) {
  if (status === undefined) return <StatusBadge level="unknown">Not known</StatusBadge>;
  return <StatusBadge level={LEVELS[status]}>{ERROR_STATUS_LABELS[status]}</StatusBadge>;
}

/** Who resolved the group when and in which version, and when it came back. */
export function ErrorStatusFacts({ group }: { readonly group: ErrorGroup }) {
  const { status, resolvedAt, resolvedBy, resolvedInVersion, reopenedAt } = group;
  return (
    <>
      <ErrorStatusBadge status={status} />
      {resolvedAt !== undefined && (
        <span>
          resolved <TimeTravelLink at={resolvedAt} />
          {resolvedBy !== undefined && ` by ${resolvedBy}`}
          {resolvedInVersion !== undefined && `, fixed in ${resolvedInVersion}`}
        </span>
      )}
      {reopenedAt !== undefined && (
        <span>
          reopened <TimeTravelLink at={reopenedAt} />
        </span>
      )}
    </>
  );
}
