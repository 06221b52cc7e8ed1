import assert from 'node:assert/strict';
import { AssistantTurns } from '../../../src/assistant/create-assistant.js';

/** Work that ends when the test says so. */
class HeldWork {
  readonly started: string[] = [];
  private readonly ends: (() => void)[] = [];

  readonly create = (name: string) => (): Promise<string> => {
    this.started.push(name);
    return new Promise((resolve) => this.ends.push(() => resolve(name)));
  };

  async endFirst(): Promise<void> {
    this.ends.shift()?.();
    await new Promise(setImmediate);
  }
}

describe('AssistantTurns', () => {
  const notAborted = (): AbortSignal => new AbortController().signal;
  const signal = notAborted();
  const findOwner = async (gridId: string): Promise<string> => gridId.split('/')[0];

  async function flood(turns: AssistantTurns, kind: 'answer' | 'processSpeech', work: HeldWork): Promise<number> {
    for (let n = 0; n < 200; n++)
      turns[kind](`flood/${n % 40}`, notAborted(), work.create('flood')).catch(() => undefined);
    await new Promise(setImmediate);
    assert.ok(work.started.length > 0 && work.started.length < 200, `${work.started.length} run`);
    return work.started.length;
  }

  it('answers another owner at once during a flood of questions over many Grids of one', async () => {
    const turns = new AssistantTurns(findOwner);
    const work = new HeldWork();
    const begun = await flood(turns, 'answer', work);
    void turns.answer('neighbour/1', signal, work.create('neighbour'));
    await new Promise(setImmediate);
    assert.deepEqual(work.started.slice(begun), ['neighbour']);
  });

  it('lets speech of another owner wait for the end of one task', async () => {
    const turns = new AssistantTurns(findOwner);
    const work = new HeldWork();
    const begun = await flood(turns, 'processSpeech', work);
    void turns.processSpeech('neighbour/1', signal, work.create('neighbour'));
    await new Promise(setImmediate);
    await work.endFirst();
    assert.deepEqual(work.started.slice(begun), ['neighbour']);
  });

  it('leaves answers to other Grids of the same owner', async () => {
    const turns = new AssistantTurns(findOwner);
    const work = new HeldWork();
    for (let n = 0; n < 100; n++) void turns.answer('company/noisy', notAborted(), work.create('noisy'));
    void turns.answer('company/quiet', signal, work.create('quiet'));
    await new Promise(setImmediate);
    assert.equal(work.started.at(-1), 'quiet');
  });

  it('passes on results and failures', async () => {
    const turns = new AssistantTurns(findOwner);
    assert.equal(await turns.answer('a/1', signal, async () => 'done'), 'done');
    await assert.rejects(
      turns.processSpeech('a/1', signal, () => Promise.reject(new Error('failed'))),
      /failed/,
    );
  });

  it('does not begin work whose client has gone while it waited', async () => {
    const turns = new AssistantTurns(findOwner);
    const work = new HeldWork();
    const gone = new AbortController();
    void turns.processSpeech('a/1', signal, work.create('first'));
    void turns.processSpeech('a/1', signal, work.create('second'));
    const refused = assert.rejects(turns.processSpeech('a/1', gone.signal, work.create('gone')), /the client has gone/);
    await new Promise(setImmediate);
    gone.abort(new Error('the client has gone'));
    await refused;
    await work.endFirst();
    assert.deepEqual(work.started, ['first', 'second']);
  });
});
