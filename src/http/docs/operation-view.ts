import type { OpenApiDocument } from '../openapi/document.js';
import type { Operation } from '../openapi/operation.js';
import type { Parameter } from '../openapi/parameters.js';
import type { JsonSchema } from '../requests/field-schemas.js';
import { curlOf } from './curl.js';
import { html, type Html, phrases, prose } from './html.js';
import { meaningOf, schemaView, typeOf } from './schema-view.js';

/** An operation, and where it is. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly server: string;
  readonly operation: Operation;
  /** What its answers may refer to. */
  readonly components: OpenApiDocument['components'];
}

/** Content by media type, as bodies and answers have it. */
type Content = Readonly<Record<string, { readonly 'schema'?: JsonSchema; readonly 'example'?: unknown; readonly 'examples'?: Readonly<Record<string, unknown>>; readonly 'x-events'?: Readonly<Record<string, JsonSchema>> }>>;

interface Response {
  readonly description: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
}

export function operationView({ method, path, server, operation, components }: PlacedOperation): Html {
  const { operationId, summary, description, parameters, requestBody } = operation;
  // The anchor lies inside, so that browsers unfold what a link leads to.
  return html`<details class="operation"><summary><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${path}</code> <span class="line"><h3>${summary}</h3></span></summary>
<div class="inside" id="${operationId}">${prose(description)}</div><p class="quiet">operationId <code>${operationId}</code> · <a href="#${operationId}">link</a></p>
<h4>Try it</h4><pre>${curlOf(method, server, path, operation)}</pre>
${parameters.length === 0 ? '' : html`<h4>Parameters</h4>${parametersView(parameters)}`}
${requestBody === undefined ? '' : html`<h4>Body</h4>${requestBody.description === undefined ? '' : prose(requestBody.description)}${contentView(requestBody.content as Content)}${fieldsView(requestBody.content as Content, components)}`}
<h4>Answers</h4>${Object.entries(operation.responses).map(([status, response]) => answerView(status, resolved(response, components)))}</details>`;
}

/** What is sent is shown in its place; what is answered is an example, with a link to its schema. */
function fieldsView(content: Content, { schemas }: OpenApiDocument['components']): Html {
  const named = Object.values(content).flatMap(({ schema }) => (typeof schema?.['$ref'] === 'string' ? [schema['$ref']] : []));
  return html`${named.map((ref) => schemaView((schemas?.[ref.slice('#/components/schemas/'.length)] ?? {}) as JsonSchema))}`;
}

function parametersView(parameters: readonly Parameter[]): Html {
  const rows = parameters.map((parameter) => html`<tr><td><code>${parameter.name}</code> <span class="quiet">${parameter.in}</span>${parameter.required ? html` <span class="need">required</span>` : ''}</td><td>${typeOf(parameter.schema)}</td><td>${
    meaningOf({ ...parameter.schema, description: parameter.description })
  }</td></tr>`);
  return html`<div class="scroll"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Refusals are folded: there are many, and alike. */
function answerView(status: string, { description, content = {}, headers = {} }: Response): Html {
  const told = html`<strong>${status}</strong> ${phrases(description)}`;
  const more = html`${headersView(headers)}${contentView(content)}`;
  return status.startsWith('2') ? html`<p>${told}</p>${more}` : html`<details class="inner"><summary>${told}</summary>${more}</details>`;
}

function headersView(headers: NonNullable<Response['headers']>): Html {
  const own = Object.entries(headers);
  return own.length === 0 ? html`` : html`<p class="quiet">Headers: ${own.map(([name, { description }], at) => html`${at === 0 ? '' : '; '}<code>${name}</code> ${description}`)}</p>`;
}

function contentView(content: Content): Html {
  return html`${Object.entries(content).map(([mediaType, { schema, example, examples = {}, 'x-events': events }]) => html`<p><code>${mediaType}</code>${schema === undefined ? '' : html`: ${typeOf(schema)}`}</p>${
    schema !== undefined && !('$ref' in schema) ? schemaView(schema) : ''
  }${events === undefined ? '' : html`<p>${Object.entries(events).map(([topic, each]) => html`<code>${topic}</code> ${typeOf(each)} `)}</p>`}${
    example === undefined ? '' : html`<pre>${shown(example)}</pre>`
  }${Object.values(examples).length === 0 ? '' : html`<p>${Object.keys(examples).map((slug) => html`<a href="problems/${slug}">${slug}</a> `)}</p>`}`)}`;
}

function shown(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}

function resolved(response: object, components: OpenApiDocument['components']): Response {
  if (!('$ref' in response)) return response as Response;
  const name = String(response.$ref).slice('#/components/responses/'.length);
  return components['responses']?.[name] as Response;
}
