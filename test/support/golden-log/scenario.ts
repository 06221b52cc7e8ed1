import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import {
  alertsStream,
  CLOCK_STREAM,
  conversationsStream,
  gridStream,
  errorGroupsStream,
  incidentsStream,
  keyUseStream,
  notificationsStream,
  PORTAL_SESSIONS_STREAM,
  retentionStream,
  sessionsStream,
  slosStream,
  speechStream,
  telemetryStream,
  usageStream,
  RETENTION_WITHDRAWALS_STREAM,
} from '../../../src/streams/stream-names.js';
import {
  TELEMETRY_PART_TYPE,
  TELEMETRY_RECEIVED_TYPES,
  type TelemetryReceived,
} from '../../../src/streams/events/telemetry-events.js';
import type { Signal } from '../../../src/telemetry/signals.js';
import { createTelemetryGenerator } from '../telemetry-generator.js';
import type { GoldenEvent } from './golden-log.js';

const FIXTURES = join(process.cwd(), 'test/fixtures/events');
const START = Date.UTC(2026, 2, 2, 9);
const STEP_MS = 7_000;
const RECORDS = 30;
const OTHER_GRID = 'b1f0c4b2-2222-4333-8444-555566667777';

interface Stored {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Event types that remove something: written for only one of the two Grids. */
const ENDINGS = /(Deleted|Removed|Revoked|Ended|Refunded|Resolved|Closed)\.v\d+$/;
/** Event types in causal order. */
const ORDER = [
  'GridCreated',
  'GridSettingsChanged',
  'MemberSet',
  'ApiKeyIssued',
  'ApiKeyRegenerated',
  'LimitsUpdated',
  'AlertRuleCreated',
  'AlertRuleChanged',
  'ChartCreated',
  'ChartChanged',
  'DashboardCreated',
  'DashboardChanged',
  'ViewCreated',
  'ViewChanged',
  'SloCreated',
  'SloChanged',
  'AlertFired',
  'AlertSeverityChanged',
  'AlertAcknowledged',
  'ChannelCreated',
  'ChannelChanged',
  'NotificationRouteCreated',
  'NotificationRouteChanged',
  'SilenceCreated',
  'SilenceChanged',
  'AlertsRouted',
  'NotificationRequested',
  'NotificationAttempted',
  'NotificationFailed',
  'NotificationDelivered',
  'NotificationsSummarized',
  'IncidentOpened',
  'IncidentAlertAdded',
  'IncidentAlertChanged',
  'IncidentCauseChanged',
  'IncidentAcknowledged',
  'IncidentCommanderAssigned',
  'IncidentNoted',
  'IncidentRecovering',
  'IncidentReopened',
  'SessionStarted',
  'SessionUsed',
  'PromptReserved',
  'PromptSettled',
  'SpeechReserved',
  'SpeechSettled',
  'TurnRecorded',
];

/** Streams by prefix of the event type; all others are Grid streams. */
const STREAMS: readonly (readonly [RegExp, (gridId: string, userId: string) => string])[] = [
  [/^Alert(Fired|Resolved|Severity|Acknowledged)/, alertsStream],
  [/^(AlertsRouted|AlertGroup|Notification(Requested|Attempted|Failed|Delivered|sSummarized))/, notificationsStream],
  [/^SloEventsCounted/, slosStream],
  [/^Incident/, incidentsStream],
  [/^ErrorGroup/, errorGroupsStream],
  [/^Session/, sessionsStream],
  [/^Prompt/, (_gridId, userId) => usageStream(userId)],
  [/^Speech/, speechStream],
  [/^Turn/, (_gridId, userId) => conversationsStream(userId)],
  [/^ApiKeysUsed/, keyUseStream],
  [/^(PortalSession|TokenMemberships)/, () => PORTAL_SESSIONS_STREAM],
  [/^TelemetryExpired/, retentionStream],
  [/^ClockObserved/, () => CLOCK_STREAM],
  [/^RetentionMarkWithdrawn/, () => RETENTION_WITHDRAWALS_STREAM],
];

export function streamOf({ type, data }: Stored): string {
  const [, of] = STREAMS.find(([pattern]) => pattern.test(type)) ?? [undefined, gridStream];
  return of(String(data['gridId']), String(data['userId']));
}

/** Events as written by earlier releases, without telemetry. */
export function storedFixtures(): Stored[] {
  const fixtures = readdirSync(FIXTURES).map(
    (name) => (JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as { stored: Stored }).stored,
  );
  const place = ({ type }: Stored): number => {
    const found = ORDER.indexOf(type.replace(/\.v\d+$/, ''));
    return found < 0 ? ORDER.length : found;
  };
  return fixtures
    .filter(({ type }) => !/(Received|TelemetryPart|TelemetryExpired)\.v\d+$/.test(type))
    .sort((a, b) => place(a) - place(b));
}

/** Builds the golden log: two Grids, every event type, telemetry in all signals and encodings. */
export class Scenario {
  readonly events: GoldenEvent[] = [];
  private readonly generator = createTelemetryGenerator(2026, { startNs: BigInt(START) * 1_000_000n, perSecond: 5 });
  private readonly revisions = new Map<string, number>();
  private now = START;

  build(): readonly GoldenEvent[] {
    const stored = storedFixtures();
    for (const event of stored.filter(({ type }) => !ENDINGS.test(type)))
      this.add(streamOf(event), event.type, event.data);
    for (const event of stored.map(ofOtherGrid)) this.add(streamOf(event), event.type, event.data);
    const gridId = String(stored[0].data['gridId']);
    for (const signal of ['traces', 'logs', 'metrics'] as const)
      for (const encoding of ['identity', 'gzip', 'deflate'] as const) this.receive(gridId, signal, encoding);
    this.receive(OTHER_GRID, 'traces', 'gzip');
    this.repeatLast();
    this.receiveInParts(gridId);
    const before = Math.floor((START + 5_000) / 1000) * 1000;
    this.add(retentionStream(gridId), 'TelemetryExpired.v1', { gridId, before, at: this.now });
    this.receive(gridId, 'traces', 'gzip');
    this.receive(gridId, 'logs', 'gzip');
    return this.events;
  }

  private add(stream: string, type: string, data: object, body?: Uint8Array): void {
    this.now += STEP_MS;
    const revision = this.revisions.get(stream) ?? 0;
    this.revisions.set(stream, revision + 1);
    this.events.push({
      stream,
      at: this.now,
      id: idAt(stream, revision),
      type,
      data,
      ...(body === undefined ? {} : { body }),
    });
  }

  private request(
    gridId: string,
    signal: Signal,
    encoding: TelemetryReceived['encoding'],
  ): { data: TelemetryReceived; body: Uint8Array } {
    const plain = this.generator[signal](RECORDS);
    const body = encoding === 'gzip' ? gzipSync(plain) : encoding === 'deflate' ? deflateSync(plain) : plain;
    const identity = createHash('sha256').update(gridId).update(signal).update(plain).digest('hex');
    return {
      data: {
        gridId,
        signal,
        accepted: RECORDS - 1,
        rejected: [3],
        keyId: 'k3y7',
        receivedAt: this.now,
        identity,
        encoding,
        inflatedBytes: plain.byteLength,
      },
      body,
    };
  }

  private receive(gridId: string, signal: Signal, encoding: TelemetryReceived['encoding']): void {
    const { data, body } = this.request(gridId, signal, encoding);
    this.add(telemetryStream(gridId), TELEMETRY_RECEIVED_TYPES[signal], data, body);
  }

  private repeatLast(): void {
    const { stream, type, data, body } = this.events[this.events.length - 1];
    this.add(stream, type, data, body);
  }

  private receiveInParts(gridId: string): void {
    const { data, body } = this.request(gridId, 'traces', 'gzip');
    const stream = telemetryStream(gridId);
    const half = Math.floor(body.byteLength / 2);
    const request = idAt(stream, (this.revisions.get(stream) ?? 0) + 2);
    const partRevisions: number[] = [];
    for (const [index, part] of [body.subarray(0, half), body.subarray(half)].entries()) {
      partRevisions.push(this.revisions.get(stream) ?? 0);
      this.add(stream, TELEMETRY_PART_TYPE, { gridId, request, index }, part);
    }
    this.add(stream, TELEMETRY_RECEIVED_TYPES.traces, { ...data, parts: 2, partRevisions });
  }
}

function ofOtherGrid({ type, data }: Stored): Stored {
  return {
    type,
    data: { ...data, gridId: OTHER_GRID, ...('userId' in data && { userId: `${String(data['userId'])} of others` }) },
  };
}

/** Deterministic event id: a UUID, as required by some engines. */
export function idAt(stream: string, revision: number): string {
  const hex = createHash('sha256').update(`${stream} ${revision}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
