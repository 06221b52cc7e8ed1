import type { OpenApiDocument } from '../openapi/openapi-document.js';
import type { Operation } from '../openapi/openapi-operation.js';
import type { Parameter } from '../openapi/openapi-parameters.js';
import type { JsonSchema } from '../requests/field-metadata.js';
import { html, type Html, renderInlineMarkdown, renderMarkdown } from './html-template.js';
import { renderMeaning, renderSchema, renderType } from './schema-view.js';

/** An operation with its method, path and server. */
export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly server: string;
  readonly operation: Operation;
  /** Components that its responses may reference. */
  readonly components: OpenApiDocument['components'];
}

/** Content by media type, of a request or response body. */
type MediaTypes = Readonly<
  Record<
    string,
    {
      readonly schema?: JsonSchema;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, unknown>>;
      readonly 'x-events'?: Readonly<Record<string, JsonSchema>>;
    }
  >
>;

interface DocumentedResponse {
  readonly description: string;
  readonly content?: MediaTypes;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
}

/** The section of one operation, collapsed. */
export function renderOperation({ method, path, server, operation, components }: DocumentedOperation): Html {
  const { operationId, summary, description, parameters, requestBody } = operation;
  // The anchor is inside the details element, so that browsers expand it when a link leads to it.
  return html`<details class="operation"><summary><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${path}</code> <span class="line"><h3>${summary}</h3></span></summary>
<div class="inside" id="${operationId}">${renderMarkdown(description)}</div><p class="quiet">operationId <code>${operationId}</code> · <a href="#${operationId}">link</a></p>
<h4>Try it</h4><pre>${buildCurlCommand(method, server, path, operation)}</pre>
${parameters.length === 0 ? '' : html`<h4>Parameters</h4>${renderParameters(parameters)}`}
${
  requestBody === undefined
    ? ''
    : html`<h4>Body</h4>${requestBody.description === undefined ? '' : renderMarkdown(requestBody.description)}${renderContent(requestBody.content as MediaTypes)}${renderBodyFields(requestBody.content as MediaTypes, components)}`
}
<h4>Responses</h4>${Object.entries(operation.responses).map(([status, response]) => renderResponse(status, resolveResponse(response, components)))}</details>`;
}

/** The fields of the request body, inline. Responses only link to their schema. */
function renderBodyFields(content: MediaTypes, { schemas }: OpenApiDocument['components']): Html {
  const named = Object.values(content).flatMap(({ schema }) =>
    typeof schema?.['$ref'] === 'string' ? [schema['$ref']] : [],
  );
  return html`${named.map((ref) => renderSchema((schemas?.[ref.slice('#/components/schemas/'.length)] ?? {}) as JsonSchema))}`;
}

function renderParameters(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(
    (parameter) =>
      html`<tr><td><code>${parameter.name}</code> <span class="quiet">${parameter.in}</span>${parameter.required ? html` <span class="need">required</span>` : ''}</td><td>${renderType(parameter.schema)}</td><td>${renderMeaning({ ...parameter.schema, description: parameter.description })}</td></tr>`,
  );
  return html`<div class="scroll"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Successful responses are shown in full; the many similar errors are collapsed. */
function renderResponse(status: string, { description, content = {}, headers = {} }: DocumentedResponse): Html {
  const heading = html`<strong>${status}</strong> ${renderInlineMarkdown(description)}`;
  const details = html`${renderHeaders(headers)}${renderContent(content)}`;
  return status.startsWith('2')
    ? html`<p>${heading}</p>${details}`
    : html`<details class="inner"><summary>${heading}</summary>${details}</details>`;
}

function renderHeaders(headers: NonNullable<DocumentedResponse['headers']>): Html {
  const entries = Object.entries(headers);
  return entries.length === 0
    ? html``
    : html`<p class="quiet">Headers: ${entries.map(([name, { description }], at) => html`${at === 0 ? '' : '; '}<code>${name}</code> ${description}`)}</p>`;
}

function renderContent(content: MediaTypes): Html {
  return html`${Object.entries(content).map(
    ([mediaType, { schema, example, examples = {}, 'x-events': events }]) =>
      html`<p><code>${mediaType}</code>${schema === undefined ? '' : html`: ${renderType(schema)}`}</p>${
        schema !== undefined && !('$ref' in schema) ? renderSchema(schema) : ''
      }${events === undefined ? '' : html`<p>${Object.entries(events).map(([topic, each]) => html`<code>${topic}</code> ${renderType(each)} `)}</p>`}${
        example === undefined ? '' : html`<pre>${formatExample(example)}</pre>`
      }${Object.values(examples).length === 0 ? '' : html`<p>${Object.keys(examples).map((slug) => html`<a href="problems/${slug}">${slug}</a> `)}</p>`}`,
  )}`;
}

function formatExample(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}

function resolveResponse(response: object, components: OpenApiDocument['components']): DocumentedResponse {
  if (!('$ref' in response)) return response as DocumentedResponse;
  const name = String(response.$ref).slice('#/components/responses/'.length);
  return components['responses']?.[name] as DocumentedResponse;
}

const QUOTE = /'/g;

/** Quotes a text for a POSIX shell without any expansion. */
function quoteForShell(text: string): string {
  return `'${text.replace(QUOTE, `'\\''`)}'`;
}

/** A curl command to copy into a shell. Credentials are shell variables; binary responses are written to a file. */
export function buildCurlCommand(method: string, server: string, path: string, operation: Operation): string {
  const { parameters, requestBody, responses, security } = operation;
  const lines = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoteForShell(server + fillPathParameters(path, parameters) + buildQueryString(parameters))}`,
    ...buildCredentialOptions(security),
  ];
  const [[mediaType, body] = []] = Object.entries(requestBody?.content ?? {}).filter(
    ([, { example, schema }]) => example !== undefined || schema !== undefined,
  );
  if (mediaType === 'multipart/form-data') lines.push(`-F ${quoteForShell('audio=@question.wav')}`);
  else if (mediaType !== undefined)
    lines.push(
      `-H ${quoteForShell(`Content-Type: ${mediaType}`)}`,
      `-d ${quoteForShell(JSON.stringify(body?.example))}`,
    );
  const outputOption = buildOutputOption(responses);
  if (outputOption !== undefined) lines.push(outputOption);
  return lines.join(' \\\n  ');
}

/** Double-quoted shell variables, so that credentials are neither split nor written into the page. */
function buildCredentialOptions(security: Operation['security']): string[] {
  if (security.length === 0) return [];
  return security.some((each) => 'apiKey' in each)
    ? ['-H "api-key: $HINDSIGHT_API_KEY"']
    : ['-H "Authorization: Bearer $HINDSIGHT_TOKEN"'];
}

function fillPathParameters(path: string, parameters: readonly Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    encodeURIComponent(String(parameters.find((each) => each.in === 'path' && each.name === name)?.example ?? whole)),
  );
}

function buildQueryString(parameters: readonly Parameter[]): string {
  const needed = parameters.filter((each) => each.in === 'query' && each.required);
  const query = needed.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
  return query === '' ? '' : `?${query}`;
}

function buildOutputOption(responses: Operation['responses']): string | undefined {
  const success = responses['200'];
  const content = success !== undefined && 'content' in success ? (success.content as object) : {};
  if ('image/png' in content) return '-o picture.png';
  if ('audio/wav' in content) return '-o speech.wav';
  return 'text/event-stream' in content ? '-N' : undefined;
}
