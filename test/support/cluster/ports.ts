import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports from which systems take those of outgoing connections: nobody gets one while its process is being restarted. */
const [LOWEST, HIGHEST] = [20_000, 30_000];

const given = new Set<number>();

/** Free loopback ports that whoever gets them keeps over restarts; never the same twice in one process. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
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
