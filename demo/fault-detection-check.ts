import { type DemoService, fetchDiagnostic } from './hindsight-service.js';
import type { DemoArguments } from './demo-arguments.js';
import { injectFault, removeFault, type Expectation, type Fault } from './faults.js';
import { sleepSeconds, logLine } from './fault-schedule.js';
import type { Shop } from './shop/shop.js';

/** Time (s) within which a fault must be detected. */
const DETECTION_LIMIT_S = 30;
const POLL_INTERVAL_S = 1;

interface DiagnosisResponse {
  readonly diagnoses: readonly {
    readonly cause: string;
    readonly serviceName: string | null;
    readonly kind: string;
    readonly severity: string;
    readonly confidence: number;
  }[];
}

interface Detection {
  readonly what: string;
  /** Seconds after the start of the fault; undefined if not detected while it lasted. */
  after?: number;
}

/** Injects every fault once and checks that the diagnostics show it in time. Resolves to whether all were detected. */
export async function checkFaultDetection(
  shop: Shop,
  service: DemoService,
  { faults, warmUp, on, off }: DemoArguments,
  signal: AbortSignal,
): Promise<boolean> {
  logLine(`${warmUp} s of normal traffic`);
  await sleepSeconds(warmUp, signal);
  await printDiagnostics(service, 'before the first fault');
  const failed: string[] = [];
  for (const [at, fault] of faults.entries()) {
    if (signal.aborted) return false;
    if (at > 0) await sleepSeconds(off, signal);
    if (!(await checkFault(shop, service, fault, on, signal))) failed.push(fault.name);
  }
  logLine(
    failed.length === 0
      ? `all ${faults.length} faults were detected in time`
      : `not detected in time: ${failed.join(', ')}`,
  );
  return failed.length === 0;
}

async function checkFault(
  shop: Shop,
  service: DemoService,
  fault: Fault,
  seconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  logLine(`${fault.name}: ${fault.story}`);
  const detections: Detection[] = [
    { what: `${fault.rootCauses.join(' or ')} first in /diagnosis` },
    ...fault.expectations.map(({ of, what }) => ({ what: `${what} in /${of}` })),
  ];
  const from = performance.now();
  injectFault(fault, shop);
  for (;;) {
    await sleepSeconds(POLL_INTERVAL_S, signal);
    const elapsed = (performance.now() - from) / 1000;
    if (elapsed > seconds || signal.aborted) break;
    const detected = await Promise.all([
      isRootCauseDiagnosed(service, fault),
      ...fault.expectations.map((expectation) => isExpectationMet(service, expectation)),
    ]);
    for (const [at, detection] of detections.entries()) if (detected[at] === true) detection.after ??= elapsed;
  }
  await printDiagnostics(service, fault.name);
  removeFault(fault, shop);
  for (const { what, after } of detections) console.log(`    ${formatDetection(after)} ${what}`);
  return detections.every(({ after }) => after !== undefined && after <= DETECTION_LIMIT_S);
}

const formatDetection = (after: number | undefined): string => {
  if (after === undefined) return 'FAILED  never    ';
  return `${after <= DETECTION_LIMIT_S ? 'ok      ' : 'FAILED  '}after ${after.toFixed(0).padStart(2)} s`;
};

async function isRootCauseDiagnosed(service: DemoService, { rootCauses }: Fault): Promise<boolean> {
  const { diagnoses } = await fetchDiagnostic<DiagnosisResponse>(service, 'diagnosis');
  const first = diagnoses[0]?.serviceName;
  return typeof first === 'string' && rootCauses.includes(first);
}

async function isExpectationMet(service: DemoService, { of, shows }: Expectation): Promise<boolean> {
  return (shows as (answer: unknown) => boolean)(await fetchDiagnostic(service, of));
}

/** Prints one line for each diagnostic of the whole shop. */
async function printDiagnostics(service: DemoService, when: string): Promise<void> {
  const [{ diagnoses }, { overallStatus, services }, { alerts }, { pressurePoints }, { changes }] = await Promise.all([
    fetchDiagnostic<DiagnosisResponse>(service, 'diagnosis'),
    fetchDiagnostic<{
      overallStatus: string;
      services: readonly { serviceName: string; recentStatus: string; errorRate: number; apdex: number }[];
    }>(service, 'health'),
    fetchDiagnostic<{ alerts: readonly { serviceName: string; condition: string }[] }>(service, 'alerts'),
    fetchDiagnostic<{ pressurePoints: readonly { serviceName: string; type: string; severity: string }[] }>(
      service,
      'pressure',
    ),
    fetchDiagnostic<{ changes: readonly { serviceName: string; type: string }[] }>(service, 'changes'),
  ]);
  console.log(`    ${when}:`);
  const line = (name: string, items: readonly string[]): void =>
    console.log(`      ${name.padEnd(10)} ${items.length === 0 ? 'nothing' : items.join('; ')}`);
  line(
    'diagnosis',
    diagnoses
      .slice(0, 3)
      .map(
        ({ cause, serviceName, kind, severity, confidence }) =>
          `${serviceName ?? '?'} ${kind} ${severity} ${confidence} (${cause})`,
      ),
  );
  line('health', [
    overallStatus,
    ...services
      .filter(({ recentStatus }) => recentStatus !== 'healthy')
      .map(
        ({ serviceName, recentStatus, errorRate, apdex }) =>
          `${serviceName} ${recentStatus} ${errorRate} % apdex ${apdex}`,
      ),
  ]);
  line(
    'alerts',
    alerts.map(({ serviceName, condition }) => `${serviceName} ${condition}`),
  );
  line(
    'pressure',
    pressurePoints.map(({ serviceName, type, severity }) => `${serviceName} ${type} ${severity}`),
  );
  line(
    'changes',
    changes.map(({ serviceName, type }) => `${serviceName} ${type}`),
  );
}
