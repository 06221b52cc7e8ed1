import { Sparkles } from 'lucide-react';
import type { ErrorGroup } from './error-queries';
import styles from './errors.module.css';

/** Type of a group, or what stands for it. */
export const describeErrorType = ({ exceptionType }: Pick<ErrorGroup, 'exceptionType'>): string =>
  exceptionType === '' ? 'Error' : exceptionType;

export const describeVersion = (version: string): string => {
  if (version === '__other__') return 'further versions';
  return version === '' ? 'unknown version' : version;
};

/** Marks a group that was not seen before the time range, with the version that brought it. */
export function NewErrorLabel({ group: { isNew, firstVersion } }: { readonly group: ErrorGroup }) {
  if (!isNew) return null;
  return (
    <span className={styles.new}>
      <Sparkles size={14} aria-hidden /> New{firstVersion !== '' && ` in ${firstVersion}`}
    </span>
  );
}

/** Tells what the counts leave out. */
export function IncompleteNotice({
  foldedExceptions = 0,
  damagedRecords = 0,
}: {
  readonly foldedExceptions?: number | undefined;
  readonly damagedRecords?: number | undefined;
}) {
  return (
    <>
      {foldedExceptions > 0 && (
        <p className={styles.quiet}>
          Group limit reached: {foldedExceptions.toLocaleString()} exceptions are not grouped.
        </p>
      )}
      {damagedRecords > 0 && (
        <p className={styles.quiet}>
          {damagedRecords.toLocaleString()} damaged records cannot be read: they may report more exceptions.
        </p>
      )}
    </>
  );
}
