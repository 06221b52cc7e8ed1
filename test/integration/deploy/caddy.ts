import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { waitUntil } from '../../support/wait-until.js';
import { ROOT } from './compose-files.js';

const PROGRAM = spawnSync('caddy', ['version']).status === 0 ? 'caddy' : undefined;

/** Members have a loopback address each; other systems than Linux have only one. */
export const HAS_CADDY = PROGRAM !== undefined && process.platform === 'linux';
export const CADDY_NEEDS = HAS_CADDY ? '' : ' (on Linux; apt-get install caddy)';

/** The proxy of deploy/cluster/Caddyfile as a process, with members and ports of a test. */
export class Caddy {
  private constructor(
    private readonly process: ChildProcess,
    readonly apiUrl: string,
    readonly otlpUrl: string,
  ) {}

  static async start(members: readonly StandIn[], { TLS = '' } = {}): Promise<Caddy> {
    const [health, api, otlp, second] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const scheme = TLS === '' ? 'http' : 'https';
    const list = (address: (member: StandIn) => string): string => members.map(address).join(' ');
    const child = spawn(
      PROGRAM!,
      ['run', '--adapter', 'caddyfile', '--config', join(ROOT, 'deploy/cluster/Caddyfile')],
      {
        stdio: 'ignore',
        env: {
          ...process.env,
          TLS,
          HEALTH_ADDRESS: `http://127.0.0.1:${health}`,
          API_ADDRESS: `${scheme}://:${api}`,
          OTLP_ADDRESSES: `${scheme}://:${otlp}, ${scheme}://:${second}`,
          API_MEMBERS: list(({ host, apiPort }) => `${host}:${apiPort}`),
          OTLP_HTTP_MEMBERS: list(({ host, otlpPort }) => `${host}:${otlpPort}`),
          OTLP_GRPC_MEMBERS: list(({ host, grpcPort }) => `h2c://${host}:${grpcPort}`),
        },
      },
    );
    await waitUntil(
      async () => (await fetch(`http://127.0.0.1:${health}/`).catch(() => undefined))?.status === 200,
      'the proxy says that it is well',
    );
    return new Caddy(child, `${scheme}://localhost:${api}`, `${scheme}://localhost:${otlp}`);
  }

  async dispose(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }
}

/** Stands in for a process of Hindsight: says who it is, on the three ports that the proxy knows. */
export class StandIn {
  ready = true;
  readonly notified: IncomingMessage[] = [];
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly api: Server;
  private readonly otlp: Server;
  private readonly grpc: Http2Server;

  private constructor(
    readonly host: string,
    answer: (member: StandIn) => RequestListener,
  ) {
    this.api = createServer(answer(this));
    this.otlp = createServer(answer(this));
    this.grpc = createHttp2Server();
    this.grpc.on('session', (session) => this.sessions.add(session));
    this.grpc.on('stream', (stream, { ':method': method }) => {
      stream.on('error', () => undefined).resume();
      if (method === 'GET') return stream.respond({ ':status': 404 }, { endStream: true });
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'x-member': host },
        { waitForTrailers: true },
      );
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end();
    });
  }

  static async start(host: string, answer: (member: StandIn) => RequestListener): Promise<StandIn> {
    const member = new StandIn(host, answer);
    const servers = [member.api, member.otlp, member.grpc];
    for (const server of servers) server.listen(0, host);
    await Promise.all(servers.map((server) => once(server, 'listening')));
    return member;
  }

  get apiPort(): number {
    return (this.api.address() as AddressInfo).port;
  }

  get otlpPort(): number {
    return (this.otlp.address() as AddressInfo).port;
  }

  get grpcPort(): number {
    return (this.grpc.address() as AddressInfo).port;
  }

  /** As a killed process: nobody listens, and open connections break. */
  kill(): void {
    for (const server of [this.api, this.otlp]) server.close().closeAllConnections();
    this.grpc.close();
    for (const session of this.sessions) session.destroy();
  }
}
