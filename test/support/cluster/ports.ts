import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, so that no outgoing connection takes a port while its process restarts. */
const [LOWEST, HIGHEST] = [20_000, 30_000];

const reserved = new Set<number>();

/** Free loopback ports that remain usable across restarts; never the same twice in one process. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (reserved.has(port) || !(await isFree(port))) continue;
    reserved.add(port);
    ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false; // taken
  } finally {
    server.close();
  }
}
