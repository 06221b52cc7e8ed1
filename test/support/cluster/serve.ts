import { parseArgs } from 'node:util';

/** A test server that runs as a process of its own. */
export interface Served {
  readonly url: string;
  /** Breaks all connections; new ones are taken. */
  cut(): void;
  stop(): Promise<void>;
}

/** What a test server's process tells whoever started it. */
export interface Told {
  readonly url?: string;
  readonly cut?: true;
}

/**
 * Runs a test server as the whole work of a process, on the port of `--port` (any without it): its address is told on stdout, and over IPC
 * where there is any; the message `cut` breaks its connections. Ends with a signal to stop, and with whoever started it.
 */
export async function serve(start: (port: number) => Promise<Served>): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const server = await start(Number(values.port));
  const end = (): void => void server.stop().then(() => process.exit(0));
  process.on('SIGTERM', end);
  process.on('disconnect', end);
  // Ctrl-C goes to all processes of a terminal: whoever started this one stops it when the service is done with it.
  process.on('SIGINT', () => process.send === undefined && end());
  process.on('message', (message) => {
    if (message !== 'cut') return;
    server.cut();
    process.send?.({ cut: true } satisfies Told);
  });
  process.send?.({ url: server.url } satisfies Told);
  console.log(server.url);
}
