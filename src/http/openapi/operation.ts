import { bodySchema } from '../requests/field-schemas.js';
import { EVERY_ROLE, type Route } from '../route.js';
import type { SignInPlace } from '../service-pages.js';
import { successOf } from './answers.js';
import type { Components } from './components.js';
import { exampleOf } from './example.js';
import { parametersOf, type Parameter } from './parameters.js';
import { problemResponses, problemsOf } from './problem-responses.js';
import { securityOf } from './security.js';

/** An operation of the document, as far as others read it. */
export interface Operation {
  readonly 'operationId': string;
  readonly 'tags': readonly string[];
  readonly 'summary': string;
  readonly 'description': string;
  readonly 'parameters': readonly Parameter[];
  readonly 'requestBody'?: { readonly required: boolean; readonly description?: string; readonly content: Readonly<Record<string, { readonly schema?: object; readonly example?: unknown }>> };
  readonly 'responses': Readonly<Record<string, object>>;
  /** Empty: no credentials are needed. */
  readonly 'security': readonly Readonly<Record<string, readonly string[]>>[];
  /** Roles in the Grid that may call; absent where none is needed. */
  readonly 'x-roles'?: readonly string[];
}

/** What operations of one document share. */
interface Surroundings {
  readonly routes: readonly Route[];
  readonly components: Components;
  readonly signIn: SignInPlace | undefined;
}

/** `template` is the path of the route, as the document names its parameters. */
export function operationOf(route: Route, template: string, { routes, components, signIn }: Surroundings): Operation {
  const { operationId, tag, summary, description, grid, roles } = route;
  const requestBody = requestBodyOf(route, components);
  return {
    operationId,
    tags: [tag],
    summary,
    description: [...(description === undefined ? [] : [description]), whoMayCall(route)].join('\n\n'),
    parameters: parametersOf(route, template),
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...successOf(route, routes, components), ...problemResponses(problemsOf(route), components) },
    security: securityOf(route, signIn),
    ...(grid !== 'none' && { 'x-roles': roles }),
  };
}

function whoMayCall({ grid, roles, apiKeys, whileInactive }: Route): string {
  const keys = apiKeys === false ? ' API keys may not.' : '';
  const always = whileInactive === true ? ' Works while the subscription of the Grid is inactive, too.' : '';
  if (grid === 'none') return `Every caller may call it.${keys}`;
  const who = grid === 'instance' ? 'Who started the assistant instance' : roles.length === EVERY_ROLE.length ? 'Every member of the Grid' : `Members of the Grid with the role ${roles.join(' or ')}`;
  return `${who} may call it.${keys}${always}`;
}

function requestBodyOf({ body, file }: Route, components: Components): Operation['requestBody'] {
  if (body !== undefined) {
    const schema = bodySchema(body);
    return { required: true, description: 'At most 1 MiB, in UTF-8, without a content encoding.', content: { 'application/json': { schema: components.schema(schema), example: exampleOf(schema) } } };
  }
  if (file === undefined) return undefined;
  const { name, maxBytes } = file;
  const part = { type: 'string', contentMediaType: 'application/octet-stream', description: `A file of at most ${maxBytes} bytes.` };
  return { required: true, description: 'One file; other fields are ignored.', content: { 'multipart/form-data': { schema: { type: 'object', required: [name], properties: { [name]: part } } } } };
}
