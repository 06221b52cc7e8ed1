import { describeStatus, formatBurnRate, formatRemaining } from './objective-text';
import type { Objective } from './objective-queries';
import meter from '../../ui/meter.module.css';
import styles from './objectives.module.css';

/** What remains of an error budget, as a meter and as text. */
export function BudgetBar({ objective }: { readonly objective: Objective }) {
  const { name, errorBudget, status } = objective;
  if (status === 'no-data') return <span className={styles.quiet}>No events yet</span>;
  const percent = Math.min(100, Math.max(0, errorBudget.remainingPercent));
  const text = `${formatRemaining(objective)} left`;
  return (
    <div className={styles.budget}>
      <span>{text}</span>
      <div
        className={meter.meter}
        data-level={describeStatus(objective).level}
        role="meter"
        aria-label={`Error budget of ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        aria-valuetext={text}
      >
        <span style={{ width: `${String(percent)}%` }} />
      </div>
    </div>
  );
}

const WINDOWS = ['5m', '1h', '6h', '3d'] as const;

/** Burn rates by window; those above 1 use up the budget before the window ends. */
export function BurnRates({ objective: { burnRates } }: { readonly objective: Objective }) {
  return (
    <dl className={styles.rates}>
      {WINDOWS.map((window) => (
        <div key={window}>
          <dt>{window}</dt>
          <dd className={burnRates[window] > 1 ? styles.hot : undefined}>{formatBurnRate(burnRates[window])}</dd>
        </div>
      ))}
    </dl>
  );
}
