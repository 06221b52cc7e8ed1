/** The trace that is looked at, and the one that it is compared with. */
export type TraceSide = 'current' | 'baseline';

export interface ComparedTrace {
  readonly traceId: string;
  /** Of the root span; as long as no root has arrived, of the earliest span. */
  readonly serviceName: string;
  readonly operationName: string;
  /** Of the earliest span, nanoseconds since 1970. */
  readonly start: bigint;
  /** From there to the end of the last span. */
  readonly durationNs: number;
  readonly spanCount: number;
  /** Spans with the status ERROR. */
  readonly errorCount: number;
}

/** Figures of the spans of one path in one trace; all 0 if it has none. */
export interface PathFigures {
  readonly count: number;
  readonly errorCount: number;
  /** Sum over the spans. */
  readonly durationNs: number;
  /** Sum of the time in which no child of the span runs. */
  readonly selfTimeNs: number;
}

/** Spans with the same services and operations from the top down. */
export interface ComparedPath {
  /** Number of spans above; the path that this one extends is the last one before it with a smaller depth. */
  readonly depth: number;
  readonly serviceName: string;
  readonly operationName: string;
  readonly current: PathFigures;
  readonly baseline: PathFigures;
}

/** Exceptions of one error group in one service. */
export interface ComparedErrors {
  readonly groupId: string;
  readonly serviceName: string;
  readonly exceptionType: string;
  /** The message with `*` for what varies. */
  readonly messagePattern: string;
  readonly currentCount: number;
  readonly baselineCount: number;
}

export interface TraceComparison {
  readonly current: ComparedTrace;
  readonly baseline: ComparedTrace;
  /** Depth first. */
  readonly paths: readonly ComparedPath[];
  /** Those that one trace alone has first. */
  readonly errors: readonly ComparedErrors[];
  /** Records of both traces that are damaged: exceptions may be missing. Absent if there are none. */
  readonly damagedRecords?: number;
}
