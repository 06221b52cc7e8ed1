import type { Schemas } from '../../api/client';
import { durationText, percentText, rateText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { figureVerdict } from './compared';
import { Verdict } from './verdict';
import styles from './compare.module.css';

const FIGURES = [
  { title: 'Error rate', name: 'errorRate', worseWhen: 'more', format: percentText },
  { title: 'Latency p95', name: 'p95LatencyMs', worseWhen: 'more', format: durationText },
  { title: 'Average latency', name: 'avgLatencyMs', worseWhen: 'more', format: durationText },
  { title: 'Requests', name: 'throughputRps', worseWhen: 'neither', format: rateText },
  { title: 'Apdex', name: 'apdex', worseWhen: 'less', format: (value: number) => value.toFixed(2) },
] as const;

/** The whole Grid: each figure before and now; without requests on either side there is nothing to compare. */
export function FigureCards({
  comparison: { baseline, current, deltas },
}: {
  readonly comparison: Schemas['Comparison'];
}) {
  const isComparable = baseline.throughputRps > 0 && current.throughputRps > 0;
  return (
    <div className={styles.figures}>
      {FIGURES.map(({ title, name, worseWhen, format }) => (
        <Card key={name} title={title}>
          <p className={styles.figure}>{current.throughputRps === 0 ? '–' : format(current[name])}</p>
          <p className={styles.quiet}>
            {baseline.throughputRps === 0 ? 'no requests before' : `before ${format(baseline[name])}`}
          </p>
          {isComparable && (
            <p className={styles.delta}>
              <span>{signed(deltas[name].percent)}</span>{' '}
              {worseWhen !== 'neither' && <Verdict verdict={figureVerdict(deltas[name].percent, worseWhen)} />}
            </p>
          )}
        </Card>
      ))}
    </div>
  );
}

/** With its sign, which tells more than the colour. */
export function signed(percent: number): string {
  const whole = Math.round(percent);
  return `${whole > 0 ? '+' : whole < 0 ? '−' : '±'}${percentText(Math.abs(whole))}`;
}
