/** The three kinds of OTLP export request. */
export type Signal = 'traces' | 'logs' | 'metrics';

export const SIGNALS: readonly Signal[] = ['traces', 'logs', 'metrics'];
