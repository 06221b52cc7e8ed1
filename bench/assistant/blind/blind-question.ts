/** A query of the API whose figures a right answer states. */
export interface ExpectedQuery {
  readonly signal?: 'spans' | 'logs' | 'metrics';
  readonly where: string;
  readonly groupBy?: readonly string[];
  readonly select?: readonly { readonly fn: string; readonly field?: string }[];
  /** The last minutes, or two times of day (UTC); the end may be open. */
  readonly range: number | readonly [from: string, to?: string];
}

/** A question to a service that runs the demo beside the two services of blind-telemetry.ts. */
export interface BlindQuestion {
  readonly ask: string;
  /** What a right answer says, written down before the question was asked. */
  readonly expects: string;
  /** Whether it continues the conversation of the question before. */
  readonly follows?: boolean;
  readonly query?: ExpectedQuery;
}

/** Fields of a question that is no query. */
export function ask(question: string, expects: string): BlindQuestion {
  return { ask: question, expects };
}

/** A question that continues the conversation. */
export function then(question: string, expects: string, query?: ExpectedQuery): BlindQuestion {
  return { ask: question, expects, follows: true, query };
}

/** A question whose figures a query of the API gives. */
export function figures(question: string, expects: string, query: ExpectedQuery): BlindQuestion {
  return { ask: question, expects, query };
}

export const percentile = (fn: 'p50' | 'p90' | 'p95' | 'p99'): ExpectedQuery['select'] => [{ fn, field: 'duration' }];
export const ERROR_RATE: ExpectedQuery['select'] = [{ fn: 'errorRate' }];
