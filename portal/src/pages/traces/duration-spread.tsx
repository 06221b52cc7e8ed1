import { countText, durationText } from '../../format/quantities';
import { Card } from '../../ui/card';
import type { TraceFilters } from './filters';
import { spreadOf, type SpreadStep } from './spread';
import styles from './traces.module.css';

interface SpreadProps {
  /** In ms, of the rows that are loaded. */
  readonly durations: readonly number[];
  readonly onChoose: (filters: Partial<TraceFilters>) => void;
}

/** How long the traces took that are in the list. A bar keeps those as long as it. */
export function DurationSpread({ durations, onChoose }: SpreadProps) {
  const steps = spreadOf(durations);
  const most = Math.max(...steps.map(({ count }) => count));
  return (
    <Card title="Durations in the list">
      <ul className={styles.spread}>
        {steps.map((step) => (
          <li key={step.from}>
            <button
              type="button"
              className={styles.step}
              disabled={step.count === 0}
              title={`${countText(step.count)} traces: ${stepText(step)}`}
              aria-label={`Keep ${countText(step.count)} traces of ${stepText(step)}`}
              onClick={() => onChoose({ min: step.from, max: step.to - 1 })}
            >
              <span style={{ height: `${Math.round((step.count / most) * 100)}%` }} />
            </button>
            <span className={styles.edge} aria-hidden>
              {edgeText(step.from)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const edgeText = (ms: number): string => (ms === 0 ? '0' : durationText(ms));

const stepText = ({ from, to }: SpreadStep): string => `${edgeText(from)} to ${edgeText(to)}`;
