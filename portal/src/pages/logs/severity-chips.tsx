import { countText } from '../../format/quantities';
import { SEVERITIES, SeverityWord } from './severity-word';
import type { LogsView } from './use-log-filters';
import { useSeverityCounts } from './use-log-search';
import styles from './logs.module.css';

/** How many entries there are of each severity; a click shows only those, another one all again. */
export function SeverityChips({ view: { filters, change } }: { readonly view: LogsView }) {
  const counts = useSeverityCounts(filters, SEVERITIES);
  return (
    <div role="group" aria-label="Severity" className={styles.severities}>
      {SEVERITIES.map((level, index) => (
        <button
          key={level}
          type="button"
          className={styles.severity}
          aria-pressed={filters.severity === level}
          onClick={() => change({ severity: filters.severity === level ? '' : level })}
        >
          <SeverityWord level={level} /> <span>{counts[index] === undefined ? '…' : countText(counts[index])}</span>
        </button>
      ))}
    </div>
  );
}
