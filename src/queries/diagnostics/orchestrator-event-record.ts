import { parseKubernetesEvent } from '../../diagnostics/changes/kubernetes-event.js';
import type { OrchestratorEvent } from '../../diagnostics/changes/orchestrator-event.js';
import { CHANGE_REASONS } from '../../diagnostics/changes/orchestrator-events.js';
import { isNameless } from '../../diagnostics/requests/request-attributes.js';
import type { Attributes } from '../../telemetry/attributes.js';
import type { LogRecord } from '../../telemetry/otlp/decoding/record-decoder.js';

/** Name that deployment tools give their events. */
export const DEPLOYMENT = 'deployment';

/** Attribute of the records of the receiver `k8sobjects`, which have the event in their bodies. */
export const OBJECT_TYPE = 'k8s.resource.name';
export const EVENT_OBJECTS = 'events';

/** Characters of a message or a name that are kept. Names of Kubernetes have 253 at most. */
const MAX_TEXT = 500;

const REASONS: ReadonlySet<string> = new Set([...CHANGE_REASONS, DEPLOYMENT]);

/** An event without the time of its record; with the time in its body. */
type RecordedEvent = Omit<OrchestratorEvent, 'atMs' | 'lastMs' | 'count'> & { readonly atMs: number | undefined };

/**
 * The event that a log record reports; undefined if that is no possible change. `resource`: attributes of its resource.
 * Records are found by posting lists, which other attributes may share, and by words that stand anywhere in a body.
 */
export function readOrchestratorEvent(
  { attributes, body, eventName }: Pick<LogRecord, 'attributes' | 'body' | 'eventName'>,
  resource: Attributes,
): RecordedEvent | undefined {
  const text = (...keys: readonly string[]): string => {
    for (const key of keys) {
      const value = attributes[key] ?? resource[key];
      if (value !== undefined && value !== '' && value !== null) return String(value);
    }
    return '';
  };
  const object = text(OBJECT_TYPE) === EVENT_OBJECTS ? parseKubernetesEvent(body) : undefined;
  const reason =
    object?.reason ?? (text('k8s.event.reason') || (eventName === DEPLOYMENT ? DEPLOYMENT : text('event.name')));
  if (!REASONS.has(reason)) return undefined;
  const service = text('service.name');
  return {
    reason,
    objectKind: copyStart(object?.objectKind ?? text('k8s.object.kind')),
    objectName: copyStart(object?.objectName ?? text('k8s.object.name')),
    serviceName: copyStart(isNameless(service) ? text(...WORKLOADS) : service),
    version: copyStart(text('service.version', 'deployment.version')),
    message: copyStart(object?.message ?? body),
    atMs: object?.atMs,
    occurrence: copyStart(object?.occurrence ?? ''),
  };
}

const WORKLOADS = ['k8s.deployment.name', 'k8s.statefulset.name', 'k8s.daemonset.name', 'k8s.cronjob.name'];

/** The first MAX_TEXT characters. A slice would keep the whole text in memory. */
function copyStart(text: string): string {
  return Buffer.from(text.slice(0, MAX_TEXT)).toString();
}
