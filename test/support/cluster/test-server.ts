import { parseArgs } from 'node:util';

/** A test server that runs in a separate process. */
export interface TestServer {
  readonly url: string;
  /** Closes all connections; new ones are accepted. */
  cut(): void;
  /** Closes all connections and rejects new ones. */
  goAway(): Promise<void>;
  /** Accepts connections again, with the same data. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** What a parent can ask of a test server process. */
export type ServerRequest = 'cut' | 'goAway' | 'comeBack';

/** Message of a test server process to its parent: its address, or the request that it has performed. */
export interface ServerMessage {
  readonly url?: string;
  readonly done?: ServerRequest;
}

/**
 * Runs a test server as the main program of a process, on the port of `--port` (default: any). Prints its address to
 * stdout and sends it over IPC, if present, and performs the requests of its parent. Ends on a signal or with its parent.
 */
export async function runTestServer(start: (port: number) => Promise<TestServer>): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const server = await start(Number(values.port));
  const end = (): void => void server.stop().then(() => process.exit(0));
  process.on('SIGTERM', end);
  process.on('disconnect', end);
  // Ctrl-C reaches all processes of a terminal: the parent stops this one when the service no longer needs it.
  process.on('SIGINT', () => process.send === undefined && end());
  const perform = async (request: ServerRequest): Promise<void> => {
    await server[request]();
    process.send?.({ done: request } satisfies ServerMessage);
  };
  process.on('message', (request) => void perform(request as ServerRequest));
  process.send?.({ url: server.url } satisfies ServerMessage);
  console.log(server.url);
}
