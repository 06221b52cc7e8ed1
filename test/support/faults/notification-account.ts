import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../../../src/streams/event-store.js';
import type { AlertEvent } from '../../../src/streams/events/alert-events.js';
import type { Arrival } from './flaky-receiver.js';

type Fired = Extract<AlertEvent, { readonly type: 'AlertFired.v2' }>['data'];

/** What the log says of the alerts of some services. */
export interface LoggedAlerts {
  readonly fired: readonly Fired[];
  readonly resolved: ReadonlySet<string>;
}

/** Alerts in the log for these services. */
export function alertsInLog(events: readonly RecordedEvent[], services: readonly string[]): LoggedAlerts {
  const fired = events
    .filter(({ type }) => type === 'AlertFired.v2')
    .map(({ data }) => data as Fired)
    .filter(({ serviceName }) => services.includes(serviceName));
  const resolved = events
    .filter(({ type }) => type === 'AlertResolved.v1')
    .map(({ data }) => (data as { alertId: string }).alertId);
  return { fired, resolved: new Set(resolved) };
}

/** Firings and resolves of the log that the receiver has not taken. */
export function findMissing({ fired, resolved }: LoggedAlerts, arrivals: readonly Arrival[]): readonly string[] {
  const taken = new Set(
    arrivals
      .filter(({ outcome }) => outcome === 'taken')
      .flatMap(({ alerts }) => alerts.map(({ fingerprint, status }) => `${fingerprint} ${status}`)),
  );
  return fired.flatMap(({ alertId, ruleName, serviceName }) => {
    const states = resolved.has(alertId) ? ['firing', 'resolved'] : ['firing'];
    return states
      .filter((state) => !taken.has(`${toFingerprint(alertId)} ${state}`))
      .map((state) => `${ruleName} of ${serviceName} (${alertId}): ${state}`);
  });
}

/**
 * Each firing and each resolve has one key, and a key always the same message; with groups of one alert, which is sent
 * as firing once and as resolved once.
 */
export function assertOneKeyEach(arrivals: readonly Arrival[]): void {
  const texts = new Map<string, string>();
  const keys = new Map<string, Set<string>>();
  for (const { key, reason, text, alerts } of arrivals) {
    // The service has another port after each start, and the incident may be known only when an attempt is repeated.
    const message = text.replaceAll(/127\.0\.0\.1:\d+/g, 'hindsight').replaceAll(/,"incidentUrl":"[^"]*"/g, '');
    assert.equal(texts.get(key) ?? message, message, `the message of ${key} is always the same`);
    texts.set(key, message);
    if (reason !== 'firing' && reason !== 'resolved') continue;
    for (const { fingerprint, labels } of alerts) {
      const what = `${labels.alertname} of ${labels.service} (${fingerprint}) ${reason}`;
      keys.set(what, (keys.get(what) ?? new Set()).add(key));
    }
  }
  const doubled = [...keys].filter(([, each]) => each.size > 1).map(([what]) => what);
  assert.deepEqual(doubled, [], 'sent under several keys');
}

/** Requests that came again with a key that had been answered with success before. */
export function countDuplicates(arrivals: readonly Arrival[]): number {
  const taken = new Set<string>();
  let duplicates = 0;
  for (const { key, outcome } of arrivals) {
    if (taken.has(key)) duplicates += 1;
    if (outcome === 'taken') taken.add(key);
  }
  return duplicates;
}

/** As the webhook names an alert. */
export function toFingerprint(alertId: string): string {
  return createHash('sha256').update(alertId).digest('hex').slice(0, 16);
}
