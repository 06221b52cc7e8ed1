import assert from 'node:assert/strict';
import { HindsightError } from '../../../src/errors.js';
import { tracePort } from '../../../src/self-telemetry/port-tracing.js';
import { RecordingTracer } from '../../support/recording-tracer.js';

class Questions {
  readonly name = 'questions';
  private readonly answer = 42;
  async ask(question: string): Promise<string> {
    return `${question}: ${this.answer}`;
  }
  async refuse(): Promise<never> {
    throw new HindsightError('unavailable', 'away');
  }
  now(): number {
    return this.answer;
  }
  fail(): never {
    throw new Error('at once');
  }
}

describe('a traced port', () => {
  let tracer: RecordingTracer;
  let port: Questions;
  beforeEach(() => {
    tracer = new RecordingTracer();
    port = tracePort(new Questions(), 'room', tracer);
  });

  it('answers as before, with a span that says nothing of question and answer', async () => {
    assert.equal(await port.ask('what'), 'what: 42');
    assert.equal(port.now(), 42);
    assert.equal(port.name, 'questions');
    assert.deepEqual(tracer.spans, [
      { name: 'room ask', kind: 'internal', parent: undefined, fields: {}, failed: false },
      { name: 'room now', kind: 'internal', parent: undefined, fields: {}, failed: false },
    ]);
  });

  it('fails as before, with the code of the error', async () => {
    await assert.rejects(port.refuse(), { code: 'unavailable' });
    assert.throws(() => port.fail(), /at once/);
    assert.deepEqual(
      tracer.spans.map(({ failed, fields }) => [failed, fields]),
      [
        [true, { 'error.type': 'unavailable' }],
        [true, {}],
      ],
    );
  });

  it('is a child of the work that called it', async () => {
    await tracer.start('request', 'server').runWithin(() => port.ask('x'));
    assert.equal(tracer.spans[1]?.parent, 'request');
  });

  it('can be awaited itself', async () => {
    assert.equal((await Promise.resolve(port)).name, 'questions');
    assert.deepEqual(tracer.names, []);
  });
});
