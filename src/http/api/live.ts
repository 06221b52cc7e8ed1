import type { LiveTopic } from '../../read-models/live-diagnostics.js';
import { STREAMED_TOPICS } from './presented-diagnostics.js';
import type { OpenAnswer } from '../open-answer.js';
import { LiveStreamModel } from '../requests/live-stream.js';
import { EVERY_ROLE, route, type Route } from '../route.js';

export const liveRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/apm/diagnostics/{gridSecondaryId}/stream',
    operationId: 'streamDiagnostics',
    tag: 'Diagnostics',
    summary: 'Follow diagnostics: their current state first, then each change',
    description: 'Ends when the credentials, the membership or the subscription do, and when the service stops: come back with Last-Event-ID.',
    grid: 'path',
    portalSession: true,
    roles: EVERY_ROLE,
    query: LiveStreamModel,
    mediaType: 'text/event-stream',
    run: ({ live }, { params, query, admission }) => live.follow(params.gridSecondaryId, topicsOf(query), admission),
    present: (stream: OpenAnswer) => stream,
  }),
];

/** Each once, in one order, however they were asked for. */
function topicsOf({ topics }: LiveStreamModel): readonly LiveTopic[] {
  const named = new Set(topics?.split(','));
  return STREAMED_TOPICS.filter((topic) => topics === undefined || named.has(topic));
}
