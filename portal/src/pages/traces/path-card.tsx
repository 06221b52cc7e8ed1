import { useMemo } from 'react';
import { ServiceLink } from '../../diagnostics/service-link';
import { percentText, spanDurationText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { sharesOf } from './critical-path';
import type { Trace } from './whole-trace';
import styles from './trace.module.css';

interface PathCardProps {
  readonly trace: Trace;
  readonly colours: ReadonlyMap<string, string>;
  readonly onChoose: (span: string) => void;
}

const MOST_SPANS = 5;

/** Where the time went: the legend of the services, with what each holds of the critical path, and the spans that hold most of it. */
export function PathCard({ trace: { path, shares, services, waterfall, root }, colours, onChoose }: PathCardProps) {
  const bySpan = useMemo(() => sharesOf(path, (id) => id).slice(0, MOST_SPANS), [path]);
  const spanById = useMemo(() => new Map(waterfall.rows.map(({ span }) => [span.spanId, span])), [waterfall]);
  const whole = Math.max(1, root.duration);
  const msBy = new Map(shares.map(({ name, ms }) => [name, ms]));
  const ordered = [...services].sort((a, b) => (msBy.get(b) ?? 0) - (msBy.get(a) ?? 0));
  return (
    <Card title="Where the time went">
      <p className={styles.quiet}>The critical path: what held up the whole trace. It is underlined in the spans.</p>
      <div className={styles.shares}>
        <ul aria-label="Services by their time on the critical path">
          {ordered.map((name) => (
            <li key={name}>
              <span className={styles.dot} style={{ backgroundColor: colours.get(name) }} aria-hidden />{' '}
              <ServiceLink name={name} />
              <span className={styles.figure}>
                {msBy.has(name)
                  ? `${spanDurationText(msBy.get(name)!)}, ${percentText(Math.round((msBy.get(name)! / whole) * 100))}`
                  : 'not on it'}
              </span>
            </li>
          ))}
        </ul>
        <ol aria-label="Spans with most time of their own on the critical path">
          {bySpan.map(({ name: id, ms }) => (
            <li key={id}>
              <button
                type="button"
                className={styles.jump}
                onClick={() => onChoose(id)}
                title={spanById.get(id)?.operationName}
              >
                {spanById.get(id)?.serviceName} · {spanById.get(id)?.operationName}
              </button>
              <span className={styles.figure}>{spanDurationText(ms)}</span>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}
