import { KIND, spanId, spansOf, traceId, type Pairs, type SpanFields } from './otlp-requests.js';

const MINUTE_MS = 60_000;

export interface PastRequests {
  readonly count: number;
  /** How long each takes. */
  readonly ms?: number;
  readonly more?: Partial<SpanFields>;
}

/** Requests that were served in minutes gone by: each span has ids of its own. */
export class PastMinutes {
  private spans = 0;

  /** Start of the minute that ran when the test began, ms since 1970. */
  constructor(readonly wholeMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS) {}

  /** So many minutes before that. */
  at(minutesAgo: number): number {
    return this.wholeMs - minutesAgo * MINUTE_MS;
  }

  iso(minutesAgo: number): string {
    return new Date(this.at(minutesAgo)).toISOString();
  }

  /** An export request with server spans that end in the minute that began so long ago, spread over it. */
  requests(resource: string | Pairs, minutesAgo: number, { count, ms = 20, more = {} }: PastRequests): object {
    const spans = Array.from({ length: count }, (_, i): SpanFields => {
      const endMs = this.at(minutesAgo) + Math.floor((i * MINUTE_MS) / count) + 30;
      const number = ++this.spans;
      return {
        traceId: traceId(number),
        spanId: spanId(number),
        name: 'GET /',
        kind: KIND.server,
        start: BigInt(endMs - ms) * 1_000_000n,
        end: BigInt(endMs) * 1_000_000n,
        ...more,
      };
    });
    return spansOf(resource, ...spans);
  }
}

/** A resource by its service, version and instance. */
export function resourceOf(service: string, version: string, instance = ''): Pairs {
  return [
    ['service.name', service],
    ['service.version', version],
    ...(instance === '' ? [] : [['service.instance.id', instance] as const]),
  ];
}
