import assert from 'node:assert/strict';
import type { DiagnosticsInput } from '../../../../src/diagnostics/diagnostics-input.js';
import { diagnose } from '../../../../src/diagnostics/root-cause/diagnose.js';
import type { LogRollup } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { FIRST_MINUTE, FRAMES, littleShop, type Fault } from './little-shop.js';

const ONSET = 67;

describe('diagnose of logs without spans', function () {
  this.timeout(60_000);

  it('names the service whose records changed', () => {
    const [first] = diagnose(keepLogs(given('payments', { returnsEarly: true })), FRAMES);
    assert.equal(first?.serviceName, 'payments');
    assert.match(first.evidence[0], /times per log record/);
  });

  it('names nothing where nothing changed', () => {
    assert.deepEqual(diagnose(keepLogs(littleShop({})), FRAMES), []);
  });

  it('names nothing where traffic changed', () => {
    const busier = littleShop({ rate: (minute) => (minute >= ONSET ? 120 : 40) });
    assert.deepEqual(diagnose(keepLogs(busier), FRAMES), []);
  });

  it('names no service because another one logs less', () => {
    const { logs, ...rest } = littleShop({});
    const withChatter = logs.flatMap((each) =>
      each.minute < FIRST_MINUTE + ONSET && each.value.service === 'orders'
        ? [each, { ...each, value: toChatter(each.value) }]
        : [each],
    );
    const causes = diagnose(keepLogs({ ...rest, logs: withChatter }), FRAMES);
    assert.deepEqual(
      causes.filter(({ serviceName }) => serviceName !== 'chatter'),
      [],
    );
  });
});

function given(service: string, fault: Fault): DiagnosticsInput {
  return littleShop({ fault: (each, minute) => (each === service && minute >= ONSET ? fault : undefined) });
}

function keepLogs(input: DiagnosticsInput): DiagnosticsInput {
  return { ...input, grids: [], services: [], metrics: [] };
}

/** The same records, fifty times as often, of another service. */
function toChatter({ templates, ...rest }: LogRollup): LogRollup {
  return { ...rest, service: 'chatter', templates: templates.map((each) => ({ ...each, count: 50 * each.count })) };
}
