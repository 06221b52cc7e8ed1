import { freePorts } from './cluster/ports.js';

/** A port of the loopback that nobody listens on now, nor is given as that of a connection: for programs that do not tell which one they took. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port;
}
