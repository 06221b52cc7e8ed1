import type { TSchema } from 'typebox';
import type { AccessControl } from '../auth/access-control.js';
import type { ErrorCode, FieldError } from '../errors.js';
import type { ApiCall, ApiPorts } from './api-call.js';
import type { RequestClass } from './requests/request-parser.js';
import type { ResponseBody } from './schemas/schema-builders.js';

/** Role of a member in a Grid. */
export type Role = NonNullable<Awaited<ReturnType<AccessControl['findRole']>>>;

/** For operations that every member of the Grid may call. */
export const EVERY_ROLE: readonly Role[] = ['Guest', 'User', 'Member', 'Owner'];

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** A multipart form with one file. */
export interface FileUpload {
  readonly name: string;
  /** Maximum size of the file. The rest of the form may have 64 KiB. */
  readonly maxBytes: number;
  /** Error code for larger files. */
  readonly tooLarge: ErrorCode;
}

/** The parameters of a path template: `{ x: string }` for `'/a/{x}'`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name | keyof PathParams<Rest>]: string }
  : { readonly [K in never]: string };

/**
 * An operation of the API, as data. Routing, every request step, the OpenAPI document and the authorization tests are
 * driven by the table of routes.
 */
export interface Route<
  Path extends string = string,
  Query extends object = object,
  Body extends object = object,
  Result = unknown,
> {
  readonly method: Method;
  /** Path template as in the API specification, such as `/apm/traces/{gridSecondaryId}`, without a trailing slash. */
  readonly path: Path;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** Details beyond the summary, in whole sentences. */
  readonly description?: string;
  /**
   * How the Grid is determined, whose membership authorizes the call. `path`: by `{gridSecondaryId}` in the path.
   * `instance`: by `{instanceSecondaryId}`, which must be an assistant session of the caller. `none`: the operation concerns
   * the caller only, not a Grid.
   */
  readonly grid: 'path' | 'instance' | 'none';
  /** Roles in the Grid that permit the call; ignored for `grid: 'none'`. */
  readonly roles: readonly Role[];
  /** False rejects API keys whatever their role: they are deployed with applications and must not administer the Grid. */
  readonly apiKeys?: false;
  /** True also accepts the session cookie of the portal: its EventSource cannot send headers. Only for GET. */
  readonly portalSession?: true;
  /** True permits the call while the subscription of the Grid is inactive, so that it can be activated again. */
  readonly whileInactive?: true;
  /** Default: 200. With 204 no body is sent, whatever `run` returns. */
  readonly status?: 201 | 204;
  readonly query?: RequestClass<Query>;
  readonly body?: RequestClass<Body>;
  /** For multipart/form-data with one file instead of a JSON body. */
  readonly file?: FileUpload;
  /** The response has an ETag of its content. PUT, PATCH and DELETE accept If-Match, which `run` MUST pass to the command. */
  readonly tagged?: true;
  /** Doubles the response timeout, for calls of an external language model and for long audio. */
  readonly slow?: true;
  /** Checks that involve several query fields; reported together with the errors of single fields. Fields may have any type here. */
  validate?(query: NoInfer<Query>, nowMs: number): readonly FieldError[];
  /** Default: JSON. `present` returns a StreamingResponse, an ImageResponse or a BinaryResponse for these types. */
  readonly mediaType?: MediaType;
  /** Errors that `run` may reject with, in addition to those of the request steps, `missing` and `validate`. */
  readonly refusals?: readonly ErrorCode[];
  /** Detail of the 404 when `run` resolves to undefined. */
  readonly missing?: string;
  /** Executes the operation. Resolves to undefined if no resource has the id in the path. */
  run(ports: ApiPorts, call: ApiCall<PathParams<Path>, Query, Body>): Promise<Result | undefined>;
  /** Schema of the object that `present` returns. Present exactly for JSON responses. */
  readonly responseSchema?: TSchema;
  /** Converts the result to the response body: exactly the fields of the API specification. */
  present(result: Result): object;
}

export type MediaType = 'text/event-stream' | 'image/png' | 'audio/wav';

/** A route with a JSON response. */
interface JsonRoute<
  Path extends string,
  Query extends object,
  Body extends object,
  Result,
  Schema extends TSchema,
> extends Route<Path, Query, Body, Result> {
  readonly mediaType?: undefined;
  readonly status?: 201;
  readonly responseSchema: Schema;
  present(result: Result): ResponseBody<Schema>;
}

/** A route with a response of another media type. */
interface MediaRoute<Path extends string, Query extends object, Body extends object, Result> extends Route<
  Path,
  Query,
  Body,
  Result
> {
  readonly mediaType: MediaType;
  readonly responseSchema?: undefined;
}

/** A route without a response body. */
interface NoContentRoute<Path extends string, Query extends object, Body extends object, Result> extends Route<
  Path,
  Query,
  Body,
  Result
> {
  readonly status: 204;
  readonly responseSchema?: undefined;
}

/**
 * Checks the types of a route definition against each other and erases them, so that one table can hold all routes. This is
 * sound because the request steps parse the input with the classes of the route itself.
 */
export function defineRoute<Path extends string, Query extends object, Body extends object, Result>(
  definition: NoContentRoute<Path, Query, Body, Result>,
): Route;
export function defineRoute<Path extends string, Query extends object, Body extends object, Result>(
  definition: MediaRoute<Path, Query, Body, Result>,
): Route;
export function defineRoute<
  Path extends string,
  Query extends object,
  Body extends object,
  Result,
  Schema extends TSchema,
>(definition: JsonRoute<Path, Query, Body, Result, Schema>): Route;
export function defineRoute(definition: object): Route {
  return definition as Route;
}
