import { MINUTE_MS } from '../../../src/diagnostics/time-windows.js';
import { randomNumbers } from '../../../test/support/random-numbers.js';
import { addItem, getReviews, listProducts, placeOrder, recommend } from './simulated-services.js';
import type { IncidentStory } from './incident-story.js';
import { SPAN_KIND, type PlainSpan } from './plain-telemetry-types.js';
import { callService, TraceBuilder, type CompletedCall } from './trace-builder.js';

/** Requests of a minute at even intervals, the same at any time of day. */
const REQUESTS_OF_A_MINUTE = [
  'browse',
  'order',
  'browse',
  'cart',
  'browse',
  'order',
  'browse',
  'order',
  'browse',
  'cart',
  'browse',
  'order',
] as const;

/** All spans from the start of the story to its time, trace by trace. */
export function generateTraffic(story: IncidentStory, seed: number): PlainSpan[] {
  const random = randomNumbers(seed);
  const spans: PlainSpan[] = [];
  let number = 0;
  for (let minuteMs = story.fromMs; minuteMs < story.nowMs; minuteMs += MINUTE_MS) {
    for (const [index, request] of REQUESTS_OF_A_MINUTE.entries()) {
      // Ends within its minute, so that the last minute is complete.
      const startMs = minuteMs + (index * 55_000) / REQUESTS_OF_A_MINUTE.length + Math.floor(random() * 1_500);
      const trace = new TraceBuilder(story, ++number, startMs, random);
      REQUESTS[request](trace, story);
      for (const span of trace.spans) spans.push(span);
    }
  }
  return spans;
}

const REQUESTS = {
  browse(trace: TraceBuilder, story: IncidentStory): void {
    const isReviews = trace.startMs >= story.reviewsAddedMs && trace.random() < 0.25;
    serveFrontendRequest(trace, isReviews ? 'GET /reviews' : 'GET /products', (parent, from) => {
      const listed = isReviews
        ? callService(trace, 'web-frontend', parent, from, 'GetReviews', (called, at) =>
            getReviews(trace, story, called, at),
          )
        : callService(trace, 'web-frontend', parent, from, 'ListProducts', (called, at) =>
            listProducts(trace, story, called, at),
          );
      const recommended = callService(trace, 'web-frontend', parent, listed.endsMs + 1, 'Recommend', (called, at) =>
        recommend(trace, story, called, at),
      );
      // A page without recommendations is still a success.
      return { ...recommended, failed: listed.failed };
    });
  },
  cart(trace: TraceBuilder, story: IncidentStory): void {
    serveFrontendRequest(trace, 'POST /cart', (parent, from) =>
      callService(trace, 'web-frontend', parent, from, 'AddItem', (called, at) => addItem(trace, story, called, at)),
    );
  },
  order(trace: TraceBuilder, story: IncidentStory): void {
    serveFrontendRequest(trace, 'POST /checkout', (parent, from) =>
      callService(trace, 'web-frontend', parent, from, 'PlaceOrder', (called, at) =>
        placeOrder(trace, story, called, at),
      ),
    );
  },
};

function describeRequest({ business }: TraceBuilder, failed: boolean): Readonly<Record<string, string>> {
  const { 'customer.tier': tier, 'cloud.region': region, 'app.platform': platform } = business;
  return {
    'customer.tier': tier,
    'cloud.region': region,
    'app.platform': platform,
    'http.response.status_code': failed ? '504' : '200',
  };
}

function serveFrontendRequest(
  trace: TraceBuilder,
  operation: string,
  work: (parent: string, startsMs: number) => CompletedCall,
): void {
  const id = trace.newId();
  const { endsMs, failed } = work(id, 4);
  trace.add(id, 'web-frontend', operation, SPAN_KIND.server, {
    parent: '',
    startsMs: 0,
    endsMs: endsMs + trace.varyMs(9),
    attributes: describeRequest(trace, failed),
    ...(failed && { failure: true }),
  });
}
