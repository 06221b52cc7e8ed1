import {
  atClock,
  byResource,
  createId,
  pick,
  random,
  send,
  toAttributes,
  toException,
  toNanos,
  toText,
  type Sent,
} from './blind-sending.js';

/**
 * Sends two services beside those of the demo, as they were when the blind questions were asked, from 07:30 UTC of the
 * day on: `recommendations`, whose version 5.1.0 (08:40) is slow for one model in one region, and `billing-worker`,
 * which lacked the rate of one currency from 09:00 to 09:20. Environment: HINDSIGHT_OTLP_URL, HINDSIGHT_API_KEY.
 */
const CHUNK_MS = 60_000;
const STEP_MS = 700;

const [START, DEPLOYED, RATE_LOST, RATE_FOUND] = ['07:30', '08:40', '09:00', '09:20'].map(atClock);

function recommend(ms: number, spans: Sent[], logs: Sent[]): void {
  const [region, model] = [pick(['eu-north-1', 'eu-north-1', 'ap-southeast-2']), pick(['collab-v3', 'trending-v1'])];
  const [plan, client] = [pick(['free', 'free', 'pro', 'enterprise']), pick(['web', 'ios', 'android'])];
  const operation = pick(['GET /recommendations', 'GET /recommendations', 'GET /similar/{id}', 'POST /feedback']);
  const version = ms >= DEPLOYED ? '5.1.0' : '5.0.1';
  const isSlow = version === '5.1.0' && region === 'ap-southeast-2' && model === 'collab-v3';
  const isFailed = plan !== 'enterprise' && random() < 0.03;
  const isLimited = !isFailed && plan === 'free' && random() < 0.05;
  const duration = 20 + random() * 60 + (isSlow ? 700 + random() * 800 : 0) + (isFailed ? 800 : 0);
  const pod = `recommendations-${region === 'eu-north-1' ? 'a' : 'b'}${1 + Math.floor(random() * 2)}`;
  const place = { 'service.instance.id': pod, 'k8s.pod.name': pod, 'cloud.region': region };
  const resource = { 'service.name': 'recommendations', 'service.version': version, ...place };
  const [traceId, spanId, message] = [createId(16), createId(8), 'feature store timed out after 800 ms'];
  const [method, route] = operation.split(' ');
  const request = {
    ...{ 'http.request.method': method, 'http.route': route, 'subscription.plan': plan, 'app.client': client },
    ...{ 'model.name': model, 'feature_flag.new_ranking': random() < 0.3 },
    'http.response.status_code': isFailed ? 504 : isLimited ? 429 : 200,
    'http.response.body.size': Math.floor(500 + random() * 40_000),
    ...(random() < 0.8 && { 'user.id': `u${Math.floor(random() * 50)}` }),
  };
  const times = { startTimeUnixNano: toNanos(ms), endTimeUnixNano: toNanos(ms + duration) };
  const status = isFailed ? { code: 2, message } : {};
  const events = isFailed ? [toException('FeatureStoreTimeout', message, ms + duration - 1)] : [];
  const attributes = toAttributes(request);
  spans.push({ resource, record: { traceId, spanId, name: operation, kind: 2, ...times, status, events, attributes } });
  const lookup = { 'peer.service': 'feature-store', 'rpc.system': 'grpc', 'cache.hit': random() < 0.6 };
  const child = { traceId, spanId: createId(8), parentSpanId: spanId, name: 'lookup features', kind: 3, ...times };
  spans.push({ resource, record: { ...child, status: isFailed ? { code: 2 } : {}, attributes: toAttributes(lookup) } });
  const entry = { timeUnixNano: toNanos(ms + duration), traceId, spanId };
  if (isFailed) logs.push({ resource, record: { ...entry, ...toText(17, message, { 'subscription.plan': plan }) } });
  else if (isLimited)
    logs.push({
      resource,
      record: { ...entry, ...toText(13, `rate limit reached for ${client}`, { 'app.client': client }) },
    });
}

function bill(ms: number, spans: Sent[], logs: Sent[]): void {
  const [currency, tenant] = [pick(['EUR', 'EUR', 'USD', 'GBP']), pick(['acme', 'globex', 'initech', 'hooli'])];
  const isFailed = currency === 'GBP' && ms >= RATE_LOST && ms < RATE_FOUND && random() < 0.5;
  const [traceId, spanId, message] = [createId(16), createId(8), `exchange rate for ${currency} missing`];
  const resource = {
    'service.name': 'billing-worker',
    'service.version': '0.9.3',
    'service.instance.id': 'billing-worker-1',
  };
  const end = ms + 100 + random() * 200;
  const invoice = {
    ...{ 'messaging.system': 'kafka', 'messaging.destination.name': 'invoices', 'invoice.currency': currency },
    ...{ 'invoice.amount': Math.floor(random() * 1_000), 'tenant.id': tenant },
    'retry.count': isFailed ? 3 : random() < 0.1 ? 1 : 0,
  };
  const record = {
    ...{ traceId, spanId, name: 'process invoices', kind: 5 },
    ...{ startTimeUnixNano: toNanos(ms), endTimeUnixNano: toNanos(end), attributes: toAttributes(invoice) },
    status: isFailed ? { code: 2, message } : {},
    events: isFailed ? [toException('CurrencyRateMissing', message, end - 1)] : [],
  };
  spans.push({ resource, record });
  const text = isFailed ? message : `invoice INV-${1_000 + Math.floor(random() * 9_000)} sent to ${tenant}`;
  const body = toText(isFailed ? 17 : 9, text, { 'tenant.id': tenant });
  logs.push({ resource, record: { timeUnixNano: toNanos(end), traceId, spanId, ...body } });
}

async function sendBetween(fromMs: number, toMs: number): Promise<void> {
  const [spans, logs]: [Sent[], Sent[]] = [[], []];
  for (let ms = fromMs; ms < toMs; ms += STEP_MS) {
    recommend(ms + random() * 600, spans, logs);
    if (random() < 0.5) bill(ms + random() * 600, spans, logs);
  }
  const depth = { timeUnixNano: toNanos(toMs - 500), asInt: String(5 + Math.floor(random() * 20)) };
  const metric = { name: 'billing.queue.depth', unit: '{invoice}', gauge: { dataPoints: [depth] } };
  const resource = {
    attributes: toAttributes({ 'service.name': 'billing-worker', 'service.instance.id': 'billing-worker-1' }),
  };
  await send('/v1/traces', { resourceSpans: byResource(spans, 'scopeSpans', 'spans') });
  if (logs.length > 0) await send('/v1/logs', { resourceLogs: byResource(logs, 'scopeLogs', 'logRecords') });
  await send('/v1/metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ metrics: [metric] }] }] });
}

const now = (): number => Date.now() - 1_500;
let sentMs = Math.min(START, now() - CHUNK_MS);
for (const end = now(); sentMs < end; sentMs = Math.min(sentMs + CHUNK_MS, end))
  await sendBetween(sentMs, Math.min(sentMs + CHUNK_MS, end));
console.log('The past has been sent; sending goes on.');
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const end = now();
  await sendBetween(sentMs, end);
  sentMs = end;
}
