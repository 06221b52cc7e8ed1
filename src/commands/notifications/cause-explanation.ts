import type { NotifiedCause } from '../../streams/events/notification-events.js';

/** Whether a cause names a service, or affects it. */
export function explains(cause: NotifiedCause, service: string): boolean {
  return cause.serviceName === service || cause.affectedServices.includes(service);
}
