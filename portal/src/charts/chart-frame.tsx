import type { ReactNode } from 'react';
import { ErrorState } from '../ui/page-states';
import { Skeleton } from '../ui/skeleton';
import styles from './charts.module.css';

interface ChartFrameProps {
  /** Of the drawing. Pixels. */
  readonly height: number;
  readonly isComing: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  /** What is said where there is nothing to draw. */
  readonly nothing: string;
  /** The drawing; undefined where there is none. */
  readonly children: ReactNode;
}

/** Room for a drawing: as tall while it comes and where nothing is to be drawn, so that what stands below stays where it is. */
export function ChartFrame({ height, isComing, error, retry, nothing, children }: ChartFrameProps) {
  return (
    <div style={{ minHeight: height }}>
      {children ??
        (isComing ? (
          <Skeleton height={`${height}px`} />
        ) : error !== null ? (
          <ErrorState error={error} retry={retry} />
        ) : (
          <p className={styles.quiet}>{nothing}</p>
        ))}
    </div>
  );
}
