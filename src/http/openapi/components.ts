import type { JsonSchema } from '../requests/field-schemas.js';
import { PROBLEM_TYPES, type ProblemSlug } from '../problems/catalogue.js';
import { problemDocument, Problem } from '../problems/problem.js';
import { GRID_ID } from '../schemas/assistant.js';
import { ProblemSchema } from '../schemas/problem.js';

export interface Reference {
  readonly $ref: string;
}

/** What the document says once and refers to: named schemas, problems and the answers that tell them. */
export class Components {
  private readonly schemas = new Map<string, JsonSchema>();
  private readonly responses = new Map<string, object>();
  private readonly examples = new Map<string, object>();

  constructor(private readonly publicUrl: string) {}

  /** The schema as the document has it: those with an `$id` are kept under that name and referred to. */
  schema(schema: object): JsonSchema {
    if (!('$id' in schema) || typeof schema.$id !== 'string') return this.parts(schema);
    const { $id: name, ...rest } = schema;
    const kept = this.parts(rest);
    const before = this.schemas.get(name);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(kept)) throw new Error(`Two schemas have the name ${name}`);
    this.schemas.set(name, kept);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** An answer kept under a name that is made of what it says, and so the same for equal ones. */
  response(name: string, response: object): Reference {
    this.responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  /** An example of the problem, as the service would answer it. */
  problemExample(slug: ProblemSlug): Reference {
    this.schema(ProblemSchema);
    const { title } = PROBLEM_TYPES[slug];
    this.examples.set(slug, { summary: title, value: problemDocument(exampleProblem(slug), this.publicUrl, `/apm/traces/${GRID_ID}`) });
    return { $ref: `#/components/examples/${slug}` };
  }

  /** By name, so that equal tables give equal documents. */
  collected(): Record<string, Record<string, object>> {
    return { schemas: sorted(this.schemas), responses: sorted(this.responses), examples: sorted(this.examples) };
  }

  private parts(schema: object): JsonSchema {
    return Object.fromEntries(Object.entries(schema).map(([name, part]: [string, unknown]) => [name, this.part(part)]));
  }

  private part(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((each) => this.part(each));
    return typeof part === 'object' && part !== null ? this.schema(part) : part;
  }
}

function exampleProblem(slug: ProblemSlug): Problem {
  const errors = slug === 'invalid-request' ? [{ field: 'rangeStart', message: 'rangeStart is required' }] : [];
  return new Problem(slug, PROBLEM_TYPES[slug].explanation, { errors });
}

function sorted(byName: ReadonlyMap<string, object>): Record<string, object> {
  return Object.fromEntries([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
}
