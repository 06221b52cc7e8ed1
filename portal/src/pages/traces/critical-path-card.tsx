import { useMemo } from 'react';
import { ServiceLink } from '../../components/service-links';
import { formatPercent, formatWholeMs } from '../../format/number-format';
import { Card } from '../../ui/card';
import { computePathShares } from './critical-path';
import type { Trace } from './trace-model';
import styles from './trace-page.module.css';

interface CriticalPathCardProps {
  readonly trace: Trace;
  readonly colours: ReadonlyMap<string, string>;
  readonly onSelect: (span: string) => void;
}

const MAX_SPANS = 5;

/** Time on the critical path by service, which also serves as the legend of colours, and the spans with the most of it. */
export function CriticalPathCard({
  trace: { path, shares, services, waterfall, root },
  colours,
  onSelect,
}: CriticalPathCardProps) {
  const bySpan = useMemo(() => computePathShares(path, (id) => id).slice(0, MAX_SPANS), [path]);
  const spanById = useMemo(() => new Map(waterfall.rows.map(({ span }) => [span.spanId, span])), [waterfall]);
  const totalMs = Math.max(1, root.duration);
  const msByService = new Map(shares.map(({ name, ms }) => [name, ms]));
  const ordered = [...services].sort((a, b) => (msByService.get(b) ?? 0) - (msByService.get(a) ?? 0));
  return (
    <Card title="Where the time went">
      <p className={styles.quiet}>
        The critical path is the work that determined the duration of the trace. It is underlined in the spans below.
      </p>
      <div className={styles.shares}>
        <ul aria-label="Services by their time on the critical path">
          {ordered.map((name) => (
            <li key={name}>
              <span className={styles.dot} style={{ backgroundColor: colours.get(name) }} aria-hidden />{' '}
              <ServiceLink name={name} />
              <span className={styles.figure}>
                {msByService.has(name)
                  ? `${formatWholeMs(msByService.get(name)!)}, ${formatPercent(Math.round((msByService.get(name)! / totalMs) * 100))}`
                  : 'not on critical path'}
              </span>
            </li>
          ))}
        </ul>
        <ol aria-label="Spans with the most self time on the critical path">
          {bySpan.map(({ name: id, ms }) => (
            <li key={id}>
              <button
                type="button"
                className={styles.jump}
                onClick={() => onSelect(id)}
                title={spanById.get(id)?.operationName}
              >
                {spanById.get(id)?.serviceName} · {spanById.get(id)?.operationName}
              </button>
              <span className={styles.figure}>{formatWholeMs(ms)}</span>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}

const SERIES_COLOURS = 10;

/** Assigns theme colours to services in order of appearance. */
export function assignServiceColours(services: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    services.map((name, index) => [
      name,
      index < SERIES_COLOURS ? `var(--series-${index + 1})` : 'var(--series-other)',
    ]),
  );
}
