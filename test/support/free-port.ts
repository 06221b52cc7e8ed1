import { freePorts } from './cluster/ports.js';

/** A free, non-ephemeral loopback port, for programs that do not report the port they chose. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port;
}
