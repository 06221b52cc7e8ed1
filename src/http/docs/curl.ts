import type { Operation } from '../openapi/operation.js';
import type { Parameter } from '../openapi/parameters.js';

const QUOTE = /'/g;

/** For a POSIX shell: nothing in it is expanded. */
function quoted(text: string): string {
  return `'${text.replace(QUOTE, `'\\''`)}'`;
}

/** A call that can be copied into a shell, once the variables in it are set; binary answers go to a file. */
export function curlOf(method: string, server: string, path: string, operation: Operation): string {
  const { parameters, requestBody, responses, security } = operation;
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoted(server + filled(path, parameters) + queryOf(parameters))}`, ...credentials(security)];
  const [[mediaType, body] = []] = Object.entries(requestBody?.content ?? {}).filter(([, { example, schema }]) => example !== undefined || schema !== undefined);
  if (mediaType === 'multipart/form-data') lines.push(`-F ${quoted('audio=@question.wav')}`);
  else if (mediaType !== undefined) lines.push(`-H ${quoted(`Content-Type: ${mediaType}`)}`, `-d ${quoted(JSON.stringify(body?.example))}`);
  const file = fileFor(responses);
  if (file !== undefined) lines.push(file);
  return lines.join(' \\\n  ');
}

/** Variables of the shell: a double-quoted one is not split, and nobody pastes a key into a page. */
function credentials(security: Operation['security']): string[] {
  if (security.length === 0) return [];
  return security.some((each) => 'apiKey' in each) ? ['-H "api-key: $HINDSIGHT_API_KEY"'] : ['-H "Authorization: Bearer $HINDSIGHT_TOKEN"'];
}

function filled(path: string, parameters: readonly Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => encodeURIComponent(String(parameters.find((each) => each.in === 'path' && each.name === name)?.example ?? whole)));
}

function queryOf(parameters: readonly Parameter[]): string {
  const needed = parameters.filter((each) => each.in === 'query' && each.required);
  const query = needed.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
  return query === '' ? '' : `?${query}`;
}

function fileFor(responses: Operation['responses']): string | undefined {
  const success = responses['200'];
  const content = success !== undefined && 'content' in success ? (success.content as object) : {};
  if ('image/png' in content) return '-o picture.png';
  if ('audio/wav' in content) return '-o speech.wav';
  return 'text/event-stream' in content ? '-N' : undefined;
}
