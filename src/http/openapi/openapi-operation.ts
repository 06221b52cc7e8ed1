import { buildBodySchema } from '../requests/field-metadata.js';
import { EVERY_ROLE, type Route } from '../route.js';
import type { TokenIssuer } from '../api/operational-pages.js';
import { buildProblemResponses, buildSuccessResponses, listProblems } from './openapi-responses.js';
import { buildExample, type OpenApiComponents } from './openapi-components.js';
import { buildParameters, type Parameter } from './openapi-parameters.js';

/** An operation of the document, typed as far as other modules read it. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description?: string;
    readonly content: Readonly<Record<string, { readonly schema?: object; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, object>>;
  /** Empty if no credentials are needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** Roles in the Grid that permit the call; absent if no role is needed. */
  readonly 'x-roles'?: readonly string[];
}

export type PathItem = Readonly<
  Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>> & { servers?: readonly object[] }
>;

/** The operations of a path item, in its order. */
export function listOperations({ servers: _, ...operations }: PathItem): Operation[] {
  return Object.values(operations);
}

/** Input that all operations of one document share. */
interface OperationContext {
  readonly routes: readonly Route[];
  readonly components: OpenApiComponents;
  readonly signIn: TokenIssuer | undefined;
}

/** @param template path of the route with the parameter names that the document uses */
export function buildOperation(
  route: Route,
  template: string,
  { routes, components, signIn }: OperationContext,
): Operation {
  const { operationId, tag, summary, description, grid, roles } = route;
  const requestBody = buildRequestBody(route, components);
  return {
    operationId,
    tags: [tag],
    summary,
    description: [...(description === undefined ? [] : [description]), describeCallers(route)].join('\n\n'),
    parameters: buildParameters(route, template),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      ...buildSuccessResponses(route, routes, components),
      ...buildProblemResponses(listProblems(route), components),
    },
    security: buildSecurityRequirements(route, signIn),
    ...(grid !== 'none' && { 'x-roles': roles }),
  };
}

function describeCallers({ grid, roles, apiKeys, whileInactive }: Route): string {
  const keys = apiKeys === false ? ' API keys cannot.' : '';
  const always = whileInactive === true ? ' Also available while the subscription of the Grid is inactive.' : '';
  if (grid === 'none') return `Any authenticated caller can use this operation.${keys}`;
  const who =
    grid === 'instance'
      ? 'The user who started the assistant session'
      : roles.length === EVERY_ROLE.length
        ? 'Every member of the Grid'
        : `Members of the Grid with the role ${roles.join(' or ')}`;
  return `${who} can use this operation.${keys}${always}`;
}

function buildRequestBody({ body, file }: Route, components: OpenApiComponents): Operation['requestBody'] {
  if (body !== undefined) {
    const schema = buildBodySchema(body);
    return {
      required: true,
      description: 'At most 1 MiB of UTF-8, without a content encoding.',
      content: { 'application/json': { schema: components.registerSchema(schema), example: buildExample(schema) } },
    };
  }
  if (file === undefined) return undefined;
  const { name, maxBytes } = file;
  const part = {
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: `A file of at most ${maxBytes} bytes.`,
  };
  return {
    required: true,
    description: 'One file, and no other fields.',
    content: {
      'multipart/form-data': {
        schema: { type: 'object', required: [name], properties: { [name]: part }, additionalProperties: false },
      },
    },
  };
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;
const TOKEN_DESCRIPTION =
  'An access token of a user or an application. The role is that of the membership in the Grid.';
const TOKENS_NOT_ACCEPTED = `${TOKEN_DESCRIPTION} This service has no identity provider configured and therefore accepts none.`;

/** The authentication schemes that the document declares. */
export function buildSecuritySchemes(signIn: TokenIssuer | undefined): Record<string, object> {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: signIn === undefined ? TOKENS_NOT_ACCEPTED : TOKEN_DESCRIPTION,
    },
    ...(signIn !== undefined && {
      oauth2: {
        type: 'oauth2',
        description:
          'How to obtain an access token: authorization code with PKCE for users, client credentials for applications.',
        flows: buildOAuthFlows(signIn),
      },
    }),
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'api-key',
      description:
        'The API key of a Grid. It has the role Member in that Grid only and cannot be used for administration. If both headers are sent, the bearer token is used.',
    },
  };
}

/** The endpoints of an identity provider are siblings of its issuer URL, which ends with `/v2.0` (see the API specification). */
function buildOAuthFlows({ issuer, scope }: TokenIssuer): object {
  const endpoints = `${issuer.replace(/\/v2\.0$/, '')}/oauth2/v2.0`;
  const scopes = { [scope]: 'Everything that the role of the caller permits' };
  const tokenUrl = `${endpoints}/token`;
  return {
    authorizationCode: { authorizationUrl: `${endpoints}/authorize`, tokenUrl, refreshUrl: tokenUrl, scopes },
    clientCredentials: { tokenUrl, scopes },
  };
}

/** Alternatives: any one of them authenticates a call. */
export function buildSecurityRequirements(
  { apiKeys }: Pick<Route, 'apiKeys'>,
  signIn: TokenIssuer | undefined,
): readonly SecurityRequirement[] {
  const requirements: SecurityRequirement[] = [{ bearer: [] }];
  if (signIn !== undefined) requirements.push({ oauth2: [signIn.scope] });
  if (apiKeys !== false) requirements.push({ apiKey: [] });
  return requirements;
}
