import { ChevronDown, ChevronRight, OctagonAlert } from 'lucide-react';
import type { Schemas } from '../../api/client';
import { spanDurationText } from '../../format/quantities';
import { barOf, type Stretch } from './axis';
import type { PathStep } from './critical-path';
import type { SpanRow } from './whole-trace';
import styles from './trace.module.css';

interface RowProps {
  readonly row: SpanRow;
  readonly stretch: Stretch;
  /** Of the trace, in ms since 1970. */
  readonly begin: number;
  readonly colour: string;
  readonly steps: readonly PathStep[];
  readonly logs: readonly Schemas['TraceLog'][];
  readonly isCurrent: boolean;
  readonly isFolded: boolean;
  readonly onChoose: (span: string) => void;
  readonly onFold: (span: string, isFolded: boolean) => void;
}

/** Deeper spans are indented no further, or nothing would be left of their names. */
const DEEPEST = 14;

export function WaterfallRow({ row, isCurrent, isFolded, onChoose, onFold, ...drawn }: RowProps) {
  const { span, depth, below } = row;
  const hasFailed = span.status === 'ERROR';
  return (
    <div className={isCurrent ? styles.current : styles.row}>
      <div
        className={styles.name}
        style={{
          paddingLeft: `${Math.min(depth, DEEPEST) * 13}px`,
          backgroundSize: `${Math.min(depth, DEEPEST) * 13}px 100%`,
        }}
      >
        {below > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.caret}
            aria-expanded={!isFolded}
            aria-label={`${below} spans below ${span.operationName}`}
            onClick={() => onFold(span.spanId, !isFolded)}
          >
            {isFolded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
          </button>
        ) : (
          <span className={styles.caret} />
        )}
        <button
          type="button"
          tabIndex={isCurrent ? 0 : -1}
          className={styles.choose}
          aria-pressed={isCurrent}
          onClick={() => onChoose(span.spanId)}
          title={`${span.serviceName} · ${span.operationName}`}
        >
          {hasFailed && <OctagonAlert size={13} className={styles.alert} aria-label="Error" />}{' '}
          <span className={styles.service}>{span.serviceName}</span> <span>{span.operationName}</span>
          {isFolded && <span className={styles.count}>+{below}</span>}
        </button>
      </div>
      <Track row={row} hasFailed={hasFailed} onChoose={onChoose} {...drawn} />
    </div>
  );
}

type TrackProps = Pick<RowProps, 'row' | 'stretch' | 'begin' | 'colour' | 'steps' | 'logs' | 'onChoose'> & {
  readonly hasFailed: boolean;
};

/** The bar; below it the part of it that is on the critical path, and on it a mark for each log entry. */
function Track({ row: { span, at, skew }, stretch, begin, colour, steps, logs, onChoose, hasFailed }: TrackProps) {
  const bar = barOf(at, span.duration, stretch);
  return (
    <div className={styles.track} onClick={() => onChoose(span.spanId)}>
      {bar !== undefined && (
        <span
          className={hasFailed ? styles.failed : styles.bar}
          style={{ left: `${bar.left}%`, width: `${bar.width}%`, backgroundColor: colour }}
        />
      )}
      {steps.map(({ from, to }) => (
        <Piece key={from} className={styles.path} place={barOf(from, to - from, stretch)} />
      ))}
      {logs.map(({ timestamp, severityLevel, body }, index) => (
        <Piece
          key={index}
          className={/Error|Fatal/.test(severityLevel) ? styles.badLog : styles.log}
          place={barOf(Date.parse(timestamp) + skew - begin, 0, stretch)}
          title={`${severityLevel}: ${body.slice(0, 300)}`}
        />
      ))}
      {bar !== undefined && (
        <span className={styles.length} style={{ left: `${bar.left + bar.width}%` }}>
          {spanDurationText(span.duration)}
        </span>
      )}
    </div>
  );
}

interface PieceProps {
  readonly className: string | undefined;
  readonly place: ReturnType<typeof barOf>;
  readonly title?: string;
}

function Piece({ className, place, title }: PieceProps) {
  return place === undefined ? null : (
    <span className={className} title={title} style={{ left: `${place.left}%`, width: `${place.width}%` }} />
  );
}
