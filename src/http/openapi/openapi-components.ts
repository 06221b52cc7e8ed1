import type { JsonSchema } from '../requests/field-metadata.js';
import { PROBLEM_TYPES, type ProblemSlug } from '../problems/problem-catalogue.js';
import { Problem, toProblemDocument } from '../problems/problem-details.js';
import { EXAMPLE_GRID_ID } from '../schemas/assistant-schemas.js';
import Type from 'typebox';
import { listOf, record, text } from '../schemas/schema-builders.js';

export interface Reference {
  readonly $ref: string;
}

/** Collects the shared components of the document: named schemas, problem responses and examples. */
export class OpenApiComponents {
  private readonly schemas = new Map<string, JsonSchema>();
  private readonly responses = new Map<string, object>();
  private readonly examples = new Map<string, object>();

  constructor(private readonly publicUrl: string) {}

  /**
   * Returns the schema for use in the document: a schema with an `$id` is registered under that name and replaced by a
   * reference, at any depth. Throws if two different schemas have the same name.
   */
  registerSchema(schema: object): JsonSchema {
    if (!('$id' in schema) || typeof schema.$id !== 'string') return this.resolveParts(schema);
    const { $id: name, ...rest } = schema;
    const resolved = this.resolveParts(rest);
    const before = this.schemas.get(name);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(resolved))
      throw new Error(`Two schemas have the name ${name}`);
    this.schemas.set(name, resolved);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Registers a response. The name MUST be derived from its content, so that equal responses share one entry. */
  registerResponse(name: string, response: object): Reference {
    this.responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  /** Registers an example problem document as the service would send it. */
  registerProblemExample(slug: ProblemSlug): Reference {
    this.registerSchema(ProblemSchema);
    const { title } = PROBLEM_TYPES[slug];
    this.examples.set(slug, {
      summary: title,
      value: toProblemDocument(createExampleProblem(slug), this.publicUrl, `/apm/traces/${EXAMPLE_GRID_ID}`),
    });
    return { $ref: `#/components/examples/${slug}` };
  }

  /** All components, sorted by name so that equal route tables give equal documents. */
  collect(): Record<string, Record<string, object>> {
    return {
      schemas: sortByName(this.schemas),
      responses: sortByName(this.responses),
      examples: sortByName(this.examples),
    };
  }

  private resolveParts(schema: object): JsonSchema {
    return Object.fromEntries(
      Object.entries(schema).map(([name, part]: [string, unknown]) => [name, this.resolvePart(part)]),
    );
  }

  private resolvePart(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((each) => this.resolvePart(each));
    return typeof part === 'object' && part !== null ? this.registerSchema(part) : part;
  }
}

function createExampleProblem(slug: ProblemSlug): Problem {
  const errors = slug === 'invalid-request' ? [{ field: 'rangeStart', message: 'rangeStart is required' }] : [];
  return new Problem(slug, PROBLEM_TYPES[slug].explanation, { errors });
}

function sortByName(byName: ReadonlyMap<string, object>): Record<string, object> {
  return Object.fromEntries([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const TEXT_SCHEMA = { type: 'string' };

/** Documentation of the response headers. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    required: true,
    description: 'Correlation id. It is also in the service log; include it in support requests.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  'WWW-Authenticate': { required: true, description: 'How to authenticate (RFC 6750).', schema: TEXT_SCHEMA },
  'Retry-After': {
    required: true,
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: {
    required: true,
    description: 'Identifies exactly this content. Send it as If-None-Match.',
    schema: TEXT_SCHEMA,
  },
  'Record-ETag': {
    required: true,
    description:
      'Identifies exactly this version of the record. Send it as If-Match to change or delete only this version.',
    schema: TEXT_SCHEMA,
  },
  'Cache-Control': { required: true, description: 'How long the response may be cached.', schema: TEXT_SCHEMA },
  'Content-Disposition': { required: true, description: 'Inline, with a file name.', schema: TEXT_SCHEMA },
  Vary: { required: true, description: 'Responses differ by caller.', schema: TEXT_SCHEMA },
} as const;

/** An example value built from the examples of the schema and its fields. Throws if one is missing. */
export function buildExample(schema: object): unknown {
  const { examples, anyOf, items, properties } = schema as JsonSchema;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(anyOf)) return buildExample(anyOf[0] as object);
  if (isObject(items)) return [buildExample(items)];
  if (isObject(properties))
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([, part]: [string, JsonSchema]) => part['readOnly'] !== true)
        .map(([name, part]: [string, object]) => [name, buildExample(part)]),
    );
  throw new TypeError(`Cannot build an example for ${JSON.stringify(schema)}`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const FieldFault = record('FieldFault', 'An error in one field.', {
  field: text('Name of the field as sent; empty for the body as a whole.', 'rangeStart'),
  message: text('Description of the error.', 'rangeStart is required'),
});

export const ProblemSchema = record('Problem', 'An error response (RFC 7807).', {
  type: Type.String({
    format: 'uri',
    description: 'URL of the explanation of this problem type.',
    examples: ['https://hindsight.example/problems/invalid-request'],
  }),
  title: text('Short title of the problem type.', 'Invalid request'),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'HTTP status code.', examples: [400] }),
  detail: text('Description of this occurrence.', 'One or more fields are invalid.'),
  instance: Type.Optional(
    text(
      'Path of the request; absent if the request could not be parsed.',
      '/apm/traces/0a0a0a0a-1111-4222-8333-0123456789ab',
    ),
  ),
  errors: Type.Optional(listOf(FieldFault, 'All field errors; present only if individual fields are invalid.')),
});
