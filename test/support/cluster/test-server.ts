import { parseArgs } from 'node:util';

/** A test server that runs in a separate process. */
export interface TestServer {
  readonly url: string;
  /** Closes all connections; new ones are accepted. */
  cut(): void;
  stop(): Promise<void>;
}

/** Message of a test server process to its parent. */
export interface ServerMessage {
  readonly url?: string;
  readonly cut?: true;
}

/**
 * Runs a test server as the main program of a process, on the port of `--port` (default: any). Prints its address to
 * stdout and sends it over IPC, if present; the message `cut` closes its connections. Ends on a signal or with its parent.
 */
export async function runTestServer(start: (port: number) => Promise<TestServer>): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const server = await start(Number(values.port));
  const end = (): void => void server.stop().then(() => process.exit(0));
  process.on('SIGTERM', end);
  process.on('disconnect', end);
  // Ctrl-C reaches all processes of a terminal: the parent stops this one when the service no longer needs it.
  process.on('SIGINT', () => process.send === undefined && end());
  process.on('message', (message) => {
    if (message !== 'cut') return;
    server.cut();
    process.send?.({ cut: true } satisfies ServerMessage);
  });
  process.send?.({ url: server.url } satisfies ServerMessage);
  console.log(server.url);
}
