import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createDevelopmentIdentityProvider,
  type DevelopmentIdentityProvider,
} from '../../src/auth/development/development-identity-provider.js';

/** The parts of a service needed for login: its metadata and the development identity provider. */
export class IdentityService {
  /** Number of requests to the token endpoint. */
  tokenRequests = 0;
  /** Delay of the token endpoint (ms). */
  thinksMs = 0;
  /** Overrides the service metadata. */
  metadata: object | undefined;
  /** Overrides the token response. */
  tokenAnswer: { readonly status: number; readonly body: object } | undefined;

  private constructor(
    private readonly server: Server,
    readonly dataDir: string,
  ) {}

  static async start(): Promise<IdentityService> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const service = new IdentityService(server, await mkdtemp(join(tmpdir(), 'hindsight-login-')));
    const identity = createDevelopmentIdentityProvider({
      publicUrl: service.url,
      tenantId: 'dev',
      audience: 'api://iapm-api',
      appPermission: 'Grid.Access',
      dataDir: service.dataDir,
      onError: () => undefined,
    });
    server.on('request', (request, response) => void service.answer(identity, request, response));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async dispose(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
    await rm(this.dataDir, { recursive: true });
  }

  private async answer(
    identity: DevelopmentIdentityProvider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const url = request.url ?? '/';
    if (url === '/.well-known/oauth-protected-resource') {
      const own = { resource: this.url, authorization_servers: [identity.issuer], scopes_supported: [identity.scope] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.metadata ?? own));
      return;
    }
    if (url.endsWith('/token')) {
      this.tokenRequests += 1;
      if (this.thinksMs > 0) await new Promise((thought) => setTimeout(thought, this.thinksMs));
      if (this.tokenAnswer !== undefined) {
        response
          .writeHead(this.tokenAnswer.status, { 'content-type': 'application/json' })
          .end(JSON.stringify(this.tokenAnswer.body));
        return;
      }
    }
    request.url = url.replace(/^\/auth/, '');
    identity.handler(request, response, () => response.writeHead(404).end());
  }
}
