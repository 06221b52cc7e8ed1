import type { ReactNode } from 'react';
import { countText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { Status } from '../../ui/status';
import { shareOf } from './days';
import styles from './usage.module.css';

interface GaugeProps {
  readonly title: string;
  readonly used: number;
  readonly limit: number;
  /** What is counted, such as "prompts". */
  readonly unit: string;
  readonly children: ReactNode;
}

/** How much of a limit is used, as a bar and in words. */
export function Gauge({ title, used, limit, unit, children }: GaugeProps) {
  const share = shareOf(used, limit);
  const level = share >= 100 ? 'critical' : share >= 80 ? 'warning' : 'good';
  return (
    <Card
      title={title}
      aside={
        level === 'good' ? undefined : (
          <Status level={level}>
            {limit === 0 ? 'Switched off' : level === 'critical' ? 'Used up' : 'Nearly used up'}
          </Status>
        )
      }
    >
      <div className={styles.gauge}>
        <p>
          <span className={styles.figure}>{countText(used)}</span> of {countText(limit)} {unit}
        </p>
        <div
          className={styles.meter}
          data-level={level}
          role="meter"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share)}
          aria-valuetext={`${countText(used)} of ${countText(limit)} ${unit}`}
        >
          <span style={{ width: `${share}%` }} />
        </div>
        <p className={styles.quiet}>{children}</p>
      </div>
    </Card>
  );
}
