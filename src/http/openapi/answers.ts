import { eventId } from '../live/frames.js';
import { STREAMED_TOPICS } from '../api/presented-diagnostics.js';
import type { Route } from '../route.js';
import type { Components } from './components.js';
import { exampleOf } from './example.js';
import { HEADERS } from './headers.js';

const requestId = { 'X-Request-Id': HEADERS['X-Request-Id'] };

/** What a success looks like, by status. */
export function successOf(route: Route, routes: readonly Route[], components: Components): Record<string, object> {
  const { status = 200, mediaType, answer } = route;
  switch (mediaType) {
    case 'image/png': return picture();
    case 'audio/wav': return { 200: { description: 'The sound: WAV, mono, 16 bit.', headers: requestId, content: { [mediaType]: {} } } };
    case 'text/event-stream': return { 200: { description: 'The events, until either side ends it.', headers: requestId, content: { [mediaType]: eventStream(routes, components) } } };
    case undefined: return answer === undefined ? { [status]: { description: 'Done.', headers: requestId } } : record(route, answer, components);
  }
}

/** With its tag, where it has one; then it is not sent to who has it. */
function record({ status, method, tagged }: Route, answer: object, components: Components): Record<string, object> {
  const success = status ?? 200;
  if (tagged !== true) return { [success]: json(answer, components) };
  const headers = { ...requestId, 'ETag': HEADERS['Record-ETag'] };
  const unchanged = { 304: { description: 'The record that the client has is still right.', headers } };
  return { [success]: { ...json(answer, components), headers }, ...(method === 'GET' && unchanged) };
}

/** Described as its schema is. */
export function json(schema: object, components: Components): object {
  const described = 'description' in schema ? { description: schema.description } : {};
  return { description: 'Success.', ...described, headers: requestId, content: { 'application/json': { schema: components.schema(schema), example: exampleOf(schema) } } };
}

function picture(): Record<string, object> {
  const validators = { ...requestId, 'ETag': HEADERS.ETag, 'Cache-Control': HEADERS['Cache-Control'], 'Vary': HEADERS.Vary };
  return {
    200: { description: 'The picture.', headers: { ...validators, 'Content-Disposition': HEADERS['Content-Disposition'] }, content: { 'image/png': {} } },
    304: { description: 'The picture that the client has is still right.', headers: validators },
  };
}

/** Of an event the name is a topic, and the data what the diagnostic of that name answers. `x-events` has their schemas. */
function eventStream(routes: readonly Route[], components: Components): object {
  const schemas = new Map(STREAMED_TOPICS.flatMap((topic) => {
    const answer = routes.find(({ path }) => path === `/apm/diagnostics/{gridSecondaryId}/${topic}`)?.answer;
    return answer === undefined ? [] : [[topic, answer] as const];
  }));
  const [[topic, schema] = []] = schemas;
  const id = eventId(new Map([['health', 'Zr3kP0aQ']]));
  return {
    'schema': { type: 'string', description: 'Server-sent events (WHATWG HTML, section 9.2): `event` is a topic, `data` the JSON that the diagnostic of that name answers, `id` what Last-Event-ID takes. Lines that begin with a colon keep the connection alive.' },
    'example': `id: ${id}\nevent: ${topic}\ndata: ${JSON.stringify(schema && exampleOf(schema))}\n\n`,
    'x-events': Object.fromEntries(Array.from(schemas, ([name, answer]) => [name, components.schema(answer)])),
  };
}
