/** Converts a plain request to OTLP/JSON: ids in hex, 64-bit integers as text, bytes in base64, special doubles by name. */
export function toOtlpJson(request: object): string {
  return JSON.stringify(jsonOf('', request));
}

const IDS = new Set(['traceId', 'spanId', 'parentSpanId']);

function jsonOf(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString(IDS.has(key) ? 'hex' : 'base64');
  if (Array.isArray(value)) return value.map((each) => jsonOf(key, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, jsonOf(name, each)]));
}
