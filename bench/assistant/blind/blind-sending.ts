import { randomBytes } from 'node:crypto';

/** Environment: HINDSIGHT_OTLP_URL, HINDSIGHT_API_KEY. */
const { HINDSIGHT_OTLP_URL = 'http://127.0.0.1:4318', HINDSIGHT_API_KEY = '' } = process.env;

export type Values = Readonly<Record<string, string | number | boolean>>;
export interface Sent {
  readonly resource: Values;
  readonly record: object;
}

let seed = 42;
/** A number from 0 to 1, the same sequence in each run. */
export const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff;
export const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
export const createId = (bytes: number): string => randomBytes(bytes).toString('hex');
export const toNanos = (ms: number): string => `${Math.round(ms * 1_000)}000`;
export const atClock = (clock: string): number => Date.parse(`${new Date().toISOString().slice(0, 10)}T${clock}:00Z`);

export function toAttributes(values: Values): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'boolean'
        ? { boolValue: value }
        : typeof value === 'number'
          ? { intValue: String(value) }
          : { stringValue: value },
  }));
}

export function toException(type: string, message: string, ms: number): object {
  const attributes = toAttributes({ 'exception.type': type, 'exception.message': message });
  return { name: 'exception', timeUnixNano: toNanos(ms), attributes };
}

/** Level, body and attributes of a log record. */
export function toText(severityNumber: number, text: string, values: Values): object {
  return { severityNumber, body: { stringValue: text }, attributes: toAttributes(values) };
}

/** Sends one export; repeats it while the service is busy. */
export async function send(path: string, body: object): Promise<void> {
  const headers = { 'api-key': HINDSIGHT_API_KEY, 'content-type': 'application/json' };
  for (;;) {
    const response = await fetch(`${HINDSIGHT_OTLP_URL}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (response.ok) return;
    if (response.status !== 429 && response.status !== 503) throw new Error(`${path}: ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Groups records by their resource, as exports have them. */
export function byResource(sent: readonly Sent[], scopes: string, records: string): object[] {
  const groups = new Map<string, Sent[]>();
  for (const each of sent)
    groups.set(JSON.stringify(each.resource), [...(groups.get(JSON.stringify(each.resource)) ?? []), each]);
  return [...groups.values()].map((group) => ({
    resource: { attributes: toAttributes(group[0].resource) },
    [scopes]: [{ scope: { name: 'blind' }, [records]: group.map(({ record }) => record) }],
  }));
}
