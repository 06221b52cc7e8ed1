import type { ClientMetadata } from 'oidc-provider';
import type { Role } from '../../streams/events/grid-events.js';

/** Identifier of the API in `scope`. */
export const API_RESOURCE = 'api://iapm-api';
export const API_SCOPE = `${API_RESOURCE}/.default`;
/** Secret of every confidential client, since the provider is for development only. */
export const CLIENT_SECRET = 'dev-secret';

/** Users and their role in the first Grid; undefined: not a member. */
export const DEVELOPMENT_USERS: ReadonlyMap<string, Role | undefined> = new Map([
  ['owner', 'Owner'],
  ['member', 'Member'],
  ['user', 'User'],
  ['guest', 'Guest'],
  ['outsider', undefined],
]);

export const PORTAL_CLIENT = 'hindsight-portal';
const AUTOMATION = 'hindsight-automation';
const COMMAND_LINE = 'hindsight-cli';

export interface DevelopmentMember {
  readonly id: string;
  readonly kind: 'user' | 'application';
  readonly role: Role;
}

/** Members of the first Grid when this provider runs. */
export function listDevelopmentMembers(): DevelopmentMember[] {
  const users = [...DEVELOPMENT_USERS].flatMap(([id, role]): DevelopmentMember[] =>
    role === undefined ? [] : [{ id, kind: 'user', role }],
  );
  return [...users, { id: AUTOMATION, kind: 'application', role: 'Member' }];
}

/** Whether this client may call the API on its own behalf. */
export function hasAppPermission(clientId: string | undefined): boolean {
  return clientId === AUTOMATION;
}

export function developmentClients(publicUrl: string): ClientMetadata[] {
  return [
    publicClient(PORTAL_CLIENT, 'web', `${publicUrl}/portal/callback`),
    publicClient(COMMAND_LINE, 'native', 'http://127.0.0.1/callback'),
    confidentialClient(AUTOMATION),
    confidentialClient('hindsight-bare'),
  ];
}

function publicClient(id: string, type: 'web' | 'native', redirectUri: string): ClientMetadata {
  return {
    client_id: id,
    application_type: type,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

function confidentialClient(id: string): ClientMetadata {
  return {
    client_id: id,
    client_secret: CLIENT_SECRET,
    redirect_uris: [],
    grant_types: ['client_credentials'],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_post',
  };
}

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/** The CLI listens on any free loopback port (RFC 8252 §7.3). Other clients must use exactly their registered URI. */
export function isAllowedLoopbackRedirect(clientId: string, uri: string): boolean {
  if (clientId !== COMMAND_LINE || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password, hash } = new URL(uri);
  const isPlainHttp = protocol === 'http:' && username === '' && password === '' && hash === '';
  return isPlainHttp && LOOPBACK_HOSTS.includes(hostname);
}
