import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/http/openapi/openapi-document.js';

/** A response as received by a client. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface DescribedHeader {
  readonly required?: boolean;
  readonly schema: { readonly type: string; readonly pattern?: string };
}

interface DescribedResponse {
  readonly headers?: Readonly<Record<string, DescribedHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

/** Error statuses of a path as a whole, which no operation lists. */
const OF_THE_PATH = [404, 405];

/** Validates responses against an OpenAPI document. */
export class DescribedApi {
  /** Seen statuses by `METHOD template`. */
  readonly seen = new Map<string, Set<number>>();
  private readonly ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, logger: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  /** In requests, `format` describes the usual form, and `pattern` defines what is accepted. */
  constructor(
    readonly document: OpenApiDocument,
    formats: 'count' | 'annotate' = 'count',
  ) {
    if (formats === 'count') addFormats.default(this.ajv);
    this.ajv.addSchema(document, 'api');
  }

  /** Fails if the status, media type, headers or body do not match the document. */
  check(method: string, target: string, answer: GivenAnswer): void {
    const template = this.templateOf(target.split('?')[0] ?? '');
    const verb = method.toLowerCase();
    const operation =
      template === undefined ? undefined : this.document.paths[template]?.[verb === 'head' ? 'get' : (verb as 'get')];
    const call = `${method} ${template ?? target} answered ${answer.status}`;
    if (template === undefined || operation === undefined) {
      assert.ok(OF_THE_PATH.includes(answer.status) || template === undefined, `${call}, and is not in the document`);
      return;
    }
    this.note(`${method} ${template}`, answer.status);
    const pointer = ['paths', template, verb === 'head' ? 'get' : verb, 'responses', String(answer.status)];
    const response = this.resolved(operation.responses[answer.status], pointer);
    assert.ok(
      response !== undefined,
      `${call}: the document promises ${Object.keys(operation.responses).join(', ')}. ${answer.text.slice(0, 300)}`,
    );
    checkHeaders(response.value, answer.headers, call);
    if (verb !== 'head') this.checkBody(response.value, response.pointer, answer, call);
  }

  /** The schema at a JSON pointer of the document. */
  validator(pointer: readonly string[]): ValidateFunction {
    const ref = `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    let validate = this.compiled.get(ref);
    if (validate === undefined) this.compiled.set(ref, (validate = this.ajv.compile({ $ref: ref })));
    return validate;
  }

  /** The path template that matches; of several the most literal one. */
  templateOf(path: string): string | undefined {
    const fits = Object.keys(this.document.paths).filter((template) => patternOf(template).test(path));
    return fits.sort((a, b) => a.split('{').length - b.split('{').length)[0];
  }

  private checkBody(
    response: DescribedResponse,
    pointer: readonly string[],
    { headers, text }: GivenAnswer,
    call: string,
  ): void {
    const given = headers.get('content-type')?.split(';')[0] ?? '';
    if (response.content === undefined) return assert.equal(text, '', `${call} with a body that is not promised`);
    const described = response.content[given];
    assert.ok(
      described !== undefined,
      `${call} as ${given}: the document promises ${Object.keys(response.content).join(', ')}`,
    );
    if (described.schema === undefined || !given.endsWith('json')) return;
    const validate = this.validator([...pointer, 'content', given, 'schema']);
    assert.ok(validate(JSON.parse(text)), `${call}: ${this.ajv.errorsText(validate.errors)} in ${text.slice(0, 400)}`);
  }

  private resolved(
    response: object | undefined,
    pointer: readonly string[],
  ): { readonly value: DescribedResponse; readonly pointer: readonly string[] } | undefined {
    if (response === undefined || !('$ref' in response)) return response && { value: response, pointer };
    const [, ...parts] = String(response.$ref).split('/');
    return { value: this.document.components['responses']?.[parts.at(-1) ?? ''], pointer: parts };
  }

  private note(operation: string, status: number): void {
    this.seen.set(operation, (this.seen.get(operation) ?? new Set()).add(status));
  }
}

function patternOf(template: string): RegExp {
  return new RegExp(
    `^${template
      .split(/\{\w+\}/)
      .map((literal) => literal.replace(/[.]/g, '\\.'))
      .join('[^/]+')}$`,
  );
}

function checkHeaders({ headers = {} }: DescribedResponse, given: Headers, call: string): void {
  for (const [name, { required = false, schema }] of Object.entries(headers)) {
    const value = given.get(name);
    assert.ok(value !== null || !required, `${call} without ${name}`);
    if (value === null) continue;
    if (schema.type === 'integer') assert.match(value, /^\d+$/, `${call}: ${name}`);
    if (schema.pattern !== undefined) assert.match(value, new RegExp(schema.pattern), `${call}: ${name}`);
  }
}
