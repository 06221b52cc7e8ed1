import type { JsonSchema } from '../requests/field-metadata.js';
import { PROBLEM_TYPES, type ProblemSlug } from '../problems/problem-catalogue.js';
import { Problem, toProblemDocument } from '../problems/problem-details.js';
import { GRID_ID } from '../schemas/assistant-schemas.js';
import Type from 'typebox';
import { listOf, record, text } from '../schemas/schema-builders.js';

export interface Reference {
  readonly $ref: string;
}

/** What the document says once and refers to: named schemas, problems and the answers that tell them. */
export class OpenApiComponents {
  private readonly schemas = new Map<string, JsonSchema>();
  private readonly responses = new Map<string, object>();
  private readonly examples = new Map<string, object>();

  constructor(private readonly publicUrl: string) {}

  /** The schema as the document has it: those with an `$id` are kept under that name and referred to. */
  registerSchema(schema: object): JsonSchema {
    if (!('$id' in schema) || typeof schema.$id !== 'string') return this.resolveParts(schema);
    const { $id: name, ...rest } = schema;
    const kept = this.resolveParts(rest);
    const before = this.schemas.get(name);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(kept))
      throw new Error(`Two schemas have the name ${name}`);
    this.schemas.set(name, kept);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** An answer kept under a name that is made of what it says, and so the same for equal ones. */
  registerResponse(name: string, response: object): Reference {
    this.responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  /** An example of the problem, as the service would answer it. */
  registerProblemExample(slug: ProblemSlug): Reference {
    this.registerSchema(ProblemSchema);
    const { title } = PROBLEM_TYPES[slug];
    this.examples.set(slug, {
      summary: title,
      value: toProblemDocument(createExampleProblem(slug), this.publicUrl, `/apm/traces/${GRID_ID}`),
    });
    return { $ref: `#/components/examples/${slug}` };
  }

  /** By name, so that equal tables give equal documents. */
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

/** Headers of answers. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    required: true,
    description: 'Correlation id: tell it to the operator of the service, whose log has it too.',
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
    description: 'Stands for exactly these bytes; send it as If-None-Match.',
    schema: TEXT_SCHEMA,
  },
  'Record-ETag': {
    required: true,
    description: 'Stands for exactly this record; send it as If-Match to change or delete this one and no other.',
    schema: TEXT_SCHEMA,
  },
  'Cache-Control': { required: true, description: 'For how long the answer may be kept.', schema: TEXT_SCHEMA },
  'Content-Disposition': { required: true, description: 'Shown in place, with a file name.', schema: TEXT_SCHEMA },
  Vary: { required: true, description: 'Answers differ by who asks.', schema: TEXT_SCHEMA },
} as const;

/** A value that the schema allows, made of the examples of its fields. */
export function buildExample(schema: object): unknown {
  const { examples, anyOf, items, properties } = schema as JsonSchema;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(anyOf)) return buildExample(anyOf[0] as object);
  if (isObject(items)) return [buildExample(items)];
  if (isObject(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([name, part]: [string, object]) => [name, buildExample(part)]),
    );
  throw new TypeError(`No example can be made of ${JSON.stringify(schema)}`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const FieldFault = record('FieldFault', 'What is wrong with one field.', {
  field: text('Name of the field as it was sent; empty for the whole.', 'rangeStart'),
  message: text('What is wrong, in a sentence.', 'rangeStart is required'),
});

export const ProblemSchema = record('Problem', 'What is wrong (RFC 7807).', {
  type: Type.String({
    format: 'uri',
    description: 'Address of the explanation of this type of problem.',
    examples: ['https://hindsight.example/problems/invalid-request'],
  }),
  title: text('What all problems of the type have in common.', 'Invalid request'),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'Status of the answer.', examples: [400] }),
  detail: text('What is wrong this time.', 'Some fields are not as the operation requires.'),
  instance: Type.Optional(
    text('Path of the request; absent where none could be read.', '/apm/traces/0a0a0a0a-1111-4222-8333-0123456789ab'),
  ),
  errors: Type.Optional(listOf(FieldFault, 'Every fault; only where single fields are wrong.')),
});
