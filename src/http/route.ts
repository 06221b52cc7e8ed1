import type { TSchema } from 'typebox';
import type { Principal } from '../auth/principal.js';
import type { AccessControl } from '../auth/access-control.js';
import type { Assistant } from '../assistant/assistant.js';
import type { ChartRenderer } from '../charts/render-options.js';
import type { AlertRuleCommands } from '../commands/alert-rules/alert-rule-commands.js';
import type { AssistantCommands } from '../commands/assistant/assistant-commands.js';
import type { ChartCommands } from '../commands/charts/chart-commands.js';
import type { GridCommands } from '../commands/grids/grid-commands.js';
import type { VisibilityWaiter } from '../commands/read-your-writes.js';
import type { ErrorCode, FieldError } from '../errors.js';
import type { AdministrationQueries } from '../queries/administration/administration-query-types.js';
import type { TelemetryQueries } from '../queries/telemetry/telemetry-query-types.js';
import type { UsageQueries } from '../queries/usage/usage-query-types.js';
import type { ChartQueries } from '../queries/charts/chart-query-types.js';
import type { DiagnosticsQueries } from '../queries/diagnostics/diagnostics-query-types.js';
import type { IfMatchCondition } from './requests/conditional-request.js';
import type { LiveStreams } from './live/live-stream-hub.js';
import type { RequestClass } from './requests/request-parser.js';
import type { ResponseBody } from './schemas/schema-builders.js';
import type { AssistantInstance, StreamAuthorization } from './steps/authorization.js';

/** Role of a member, as memberships answer it. */
export type Role = NonNullable<Awaited<ReturnType<AccessControl['role']>>>;

/** For operations that every member may call. */
export const EVERY_ROLE: readonly Role[] = ['Guest', 'User', 'Member', 'Owner'];

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** Commands, and when what they do shows. */
export type GridPort = GridCommands & VisibilityWaiter;
export type AlertRulePort = AlertRuleCommands & VisibilityWaiter;
export type ChartPort = ChartCommands & VisibilityWaiter;
export type AssistantPort = AssistantCommands & VisibilityWaiter;

/** What handlers may ask and do: the rooms behind the API. */
export interface ApiPorts {
  readonly assistant: Assistant;
  readonly assistantCommands: AssistantPort;
  readonly usage: UsageQueries;
  readonly grids: GridPort;
  readonly administration: AdministrationQueries;
  /** RETENTION_DAYS: of Grids that do not set their own. */
  readonly defaultRetentionDays: number;
  readonly alertRules: AlertRulePort;
  readonly chartCommands: ChartPort;
  readonly telemetry: TelemetryQueries;
  readonly diagnostics: DiagnosticsQueries;
  readonly charts: ChartQueries;
  readonly renderer: ChartRenderer;
  readonly live: LiveStreams;
}

/** One call that has passed every step: who calls and what was sent, checked and typed. */
export interface ApiCall<Params, Query, Body> {
  readonly principal: Principal;
  /** Decoded; any characters. `gridSecondaryId` is a UUID in lower case. */
  readonly params: Params;
  /** There for routes that are about an assistant instance, and for no other. */
  readonly instance?: AssistantInstance;
  readonly query: Query;
  readonly body: Body;
  /** What was sent for the route's `file`; no bytes where it has none. */
  readonly file: Uint8Array;
  /** What the caller expects to be there (If-Match); absent where it does not say, and where the route is not `tagged`. */
  readonly condition?: IfMatchCondition | undefined;
  /** For answers that stay open. */
  readonly admission: StreamAuthorization;
  /** When the call was let in, ms since 1970. */
  readonly nowMs: number;
  /** Aborted as soon as nobody waits for the answer any more: the client is gone, or its time is up. */
  readonly signal: AbortSignal;
}

/** A form with one file. */
export interface FileUpload {
  readonly name: string;
  /** Of the file. The form around it may have 64 KiB more. */
  readonly maxBytes: number;
  /** What more than that is refused with. */
  readonly tooLarge: ErrorCode;
}

/** The names in braces of a path template, each with its text: `'/a/{x}'` has `{ x: string }`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name | keyof PathParams<Rest>]: string }
  : { readonly [K in never]: string };

/**
 * An operation of the API, as data. Router, 404 and 405, every step, documentation and the authorization matrix
 * are made from the table of these.
 */
export interface Route<
  Path extends string = string,
  Query extends object = object,
  Body extends object = object,
  Result = unknown,
> {
  readonly method: Method;
  /** Literal template as in the spec, such as `/apm/traces/{gridSecondaryId}`; no trailing slash. */
  readonly path: Path;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** What a caller should know beyond the summary, in whole sentences. */
  readonly description?: string;
  /**
   * `path`: the template names `{gridSecondaryId}`, and its membership decides. `instance`: it names
   * `{instanceSecondaryId}`, which must be an instance of the caller's; the membership in its Grid decides. `none`: the
   * operation is about the caller alone.
   */
  readonly grid: 'path' | 'instance' | 'none';
  /** Roles in the Grid that may call; of no meaning without one. */
  readonly roles: readonly Role[];
  /** False: a key that ships inside every application must not call it, whatever its role. */
  readonly apiKeys?: false;
  /** GET by an EventSource of the portal, which cannot send headers: the cookie of its session counts, too. */
  readonly portalSession?: true;
  /** It works while the subscription of the Grid is inactive, too: so that it can be switched on again. */
  readonly whileInactive?: true;
  /** 200 unless said otherwise; 204 sends no body, whatever `run` answers. */
  readonly status?: 201 | 204;
  readonly query?: RequestClass<Query>;
  readonly body?: RequestClass<Body>;
  /** Instead of a body of JSON: multipart/form-data with one file. */
  readonly file?: FileUpload;
  /** Its answer has an ETag over what it presents. A change takes an If-Match, which `run` MUST hand on to the command as its condition. */
  readonly tagged?: true;
  /** It may take twice the time of other answers: somebody else's language model may be at work, or minutes of sound. */
  readonly slow?: true;
  /** Faults that no single field of the query can tell, told together with those of the fields. Fields may be of any type here. */
  faults?(query: NoInfer<Query>, nowMs: number): readonly FieldError[];
  /** Absent: JSON. A stream of events stays open (see OpenAnswer), a picture may be kept by caches (see PictureAnswer), sound is bytes (see BinaryAnswer). */
  readonly mediaType?: MediaType;
  /** What `run` may be refused with, beyond what the steps, `missing` and `faults` say. */
  readonly refusals?: readonly ErrorCode[];
  /** What to say when `run` finds nothing. */
  readonly missing?: string;
  /** Plain data of the answer; undefined: nothing is known under the id in the path. */
  run(ports: ApiPorts, call: ApiCall<PathParams<Path>, Query, Body>): Promise<Result | undefined>;
  /** JSON Schema of what `present` gives: there for every answer of JSON, and for no other. */
  readonly answer?: TSchema;
  /** The members that the spec lists, and no others. */
  present(result: Result): object;
}

export type MediaType = 'text/event-stream' | 'image/png' | 'audio/wav';

/** Its answer is JSON, and as its schema says. */
interface JsonRoute<
  Path extends string,
  Query extends object,
  Body extends object,
  Result,
  Answer extends TSchema,
> extends Route<Path, Query, Body, Result> {
  readonly mediaType?: undefined;
  readonly status?: 201;
  readonly answer: Answer;
  present(result: Result): ResponseBody<Answer>;
}

/** Its answer is of another media type. */
interface MediaRoute<Path extends string, Query extends object, Body extends object, Result> extends Route<
  Path,
  Query,
  Body,
  Result
> {
  readonly mediaType: MediaType;
  readonly answer?: undefined;
}

/** It has no answer but its status. */
interface NoContentRoute<Path extends string, Query extends object, Body extends object, Result> extends Route<
  Path,
  Query,
  Body,
  Result
> {
  readonly status: 204;
  readonly answer?: undefined;
}

/**
 * Infers the types of a definition and checks them against each other. The table holds routes of all types; what makes
 * that sound is that the steps parse with the very classes that the route carries.
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
  Answer extends TSchema,
>(definition: JsonRoute<Path, Query, Body, Result, Answer>): Route;
export function defineRoute(definition: object): Route {
  return definition as Route;
}
