import type { ReactNode } from 'react';
import { ErrorState } from '../ui/page-states';
import { Skeleton } from '../ui/skeleton';
import styles from './charts.module.css';

interface ChartFrameProps {
  /** Height of the chart in px. */
  readonly height: number;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Text if there is nothing to draw. */
  readonly emptyText: string;
  /** The chart; undefined if there is nothing to draw. */
  readonly children: ReactNode;
}

/** Frame of a chart with a constant height, also while loading and without data, so that the content below does not move. */
export function ChartFrame({ height, isLoading, error, retry, emptyText, children }: ChartFrameProps) {
  return (
    <div style={{ minHeight: height }}>
      {children ??
        (isLoading ? (
          <Skeleton height={`${height}px`} />
        ) : error !== null ? (
          <ErrorState error={error} retry={retry} />
        ) : (
          <p className={styles.quiet}>{emptyText}</p>
        ))}
    </div>
  );
}
