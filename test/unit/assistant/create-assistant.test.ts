import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { INITIAL_LIMITS, type GridLimits } from '../../../src/accounting/usage-limits.js';
import type { Answer, Prompt } from '../../../src/assistant/answerer.js';
import type { Assistant, AssistantCaller } from '../../../src/assistant/assistant.js';
import { AssistantTurns, createAssistant } from '../../../src/assistant/create-assistant.js';
import type { Recognition, PcmAudio, SpeechEngines } from '../../../src/assistant/speech/speech-engines.js';
import { createAssistantCommands, type AssistantCommands } from '../../../src/commands/assistant/assistant-commands.js';
import { HindsightError } from '../../../src/errors.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { speechStream, usageStream } from '../../../src/streams/stream-names.js';
import { FakeTelemetry } from '../../support/fake-telemetry.js';
import { waitUntil } from '../../support/wait-until.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const DAWN = Date.UTC(2026, 10, 20);
const NEVER = () => new Promise<never>(() => undefined);

describe('createAssistant', () => {
  let store: MemoryEventStore;
  let commands: AssistantCommands;
  let caller: AssistantCaller;
  let limits: GridLimits;
  let usedSeconds: number;
  let prompts: Prompt[];
  let logged: string[];
  /** Dependencies of the assistant, which tests may replace. */
  let answer: (prompt: Prompt, signal: AbortSignal) => Promise<Answer>;
  let speak: (text: string, voice: string, speed: number, signal: AbortSignal) => Promise<PcmAudio>;
  let decode: (audio: Uint8Array, signal: AbortSignal) => Promise<PcmAudio>;
  let recognize: (sound: PcmAudio, names: readonly string[], signal: AbortSignal) => Promise<Recognition>;

  beforeEach(async () => {
    store = new MemoryEventStore();
    commands = createAssistantCommands({ log: store, newId: randomUUID, now: () => DAWN });
    caller = {
      userId: 'alice',
      accountId: 'alice',
      gridId,
      mayAdminister: true,
      instanceId: (await commands.startSession('alice', gridId, 10)).instanceId,
    };
    limits = INITIAL_LIMITS;
    usedSeconds = 0;
    [prompts, logged] = [[], []];
    answer = async () => answerWith(2);
    speak = async () => seconds(10);
    decode = async () => seconds(10);
    recognize = async () => ({ text: 'why is checkout slow', confidence: 0.9 });
  });

  const assistant = (changed: Partial<AssistantCommands> = {}, timeoutMs = 5_000): Assistant =>
    createAssistant({
      commands: { ...commands, ...changed },
      usage: { limits: async () => limits, speechSecondsThisMonth: async () => usedSeconds },
      telemetry: new FakeTelemetry(),
      answerer: { answer: (prompt, signal) => (prompts.push(prompt), answer(prompt, signal)) },
      speech: speechOf({
        speak: (...given) => speak(...given),
        decode: (...given) => decode(...given),
        recognize: (...given) => recognize(...given),
      }),
      scheduler: new AssistantTurns(async (id) => id),
      log: { warn: (message) => void logged.push(message) },
      now: () => DAWN,
      timeoutMs,
    });
  const eventsOf = async (stream: string): Promise<[string, unknown][]> => {
    const events: [string, unknown][] = [];
    for (const { type, data } of await store.readStream(stream)) {
      const { energy, seconds: length, kind } = data as { energy?: number; seconds?: number; kind?: string };
      events.push([
        type.replace(/\.v1$/, ''),
        energy ?? (length === undefined ? undefined : kind === undefined ? length : `${kind} ${length}`),
      ]);
    }
    return events;
  };
  const accounts = (): Promise<[string, unknown][]> => eventsOf(usageStream('alice'));
  const parse = (): Promise<[string, unknown][]> => eventsOf(speechStream(gridId));
  const left = async (): Promise<number> => (await commands.reservePrompt('alice', gridId, 1_000)).energy;

  describe('chat', () => {
    it('is paid for by the account of the caller, who keeps session and conversation', async () => {
      const before = (await commands.reservePrompt('bob', gridId, 1_000)).energy;
      const { conversationId } = await assistant().chat({ ...caller, accountId: 'bob' }, 'Why?', undefined);
      assert.deepEqual([before, (await commands.reservePrompt('bob', gridId, 1_000)).energy], [10, 10]);
      const accounts = prompts.map(({ userId }) => userId);
      assert.deepEqual(accounts, ['bob'], 'tools tell the usage of the account');
      const own = await commands.loadConversation('alice', gridId, conversationId);
      assert.equal(own.turns.length, 1);
      const used = (await eventsOf(usageStream('bob'))).map(([type]) => type);
      assert.deepEqual(used, ['PromptReserved', 'PromptReserved', 'PromptSettled', 'PromptReserved']);
      assert.deepEqual(await eventsOf(usageStream('alice')), []);
    });

    it('pays for the reply and its sources, with what was reserved before', async () => {
      const reply = await assistant().chat(caller, 'Why?', undefined);
      assert.deepEqual(
        { ...reply, conversationId: '' },
        {
          response: 'So.',
          conversationId: '',
          sources: answerWith(2).sources,
          suggestedFollowUps: ['And?'],
          energyConsumed: 3,
        },
      );
      assert.deepEqual(await accounts(), [
        ['PromptReserved', 10],
        ['PromptSettled', 3],
      ]);
      assert.deepEqual(prompts, [
        { text: 'Why?', gridId, userId: 'alice', mayAdminister: true, turns: [], nowMs: DAWN, maxSources: 9 },
      ]);
    });

    it('goes on with a conversation, and begins another for an unknown one', async () => {
      const { conversationId } = await assistant().chat(caller, 'Why?', undefined);
      assert.equal((await assistant().chat(caller, 'And now?', conversationId)).conversationId, conversationId);
      assert.deepEqual(prompts[1].turns, [{ prompt: 'Why?', response: 'So.', focus: { about: 'it' }, at: DAWN }]);
      const unknown = randomUUID();
      assert.notEqual((await assistant().chat(caller, 'Who?', unknown)).conversationId, unknown);
      assert.deepEqual(prompts[2].turns, []);
    });

    it('never costs more than was reserved, however much was consulted', async () => {
      for (let n = 0; n < 9; n++)
        await commands.settlePrompt('alice', (await commands.reservePrompt('alice', gridId, 100)).promptId, 10);
      await commands.settlePrompt('alice', (await commands.reservePrompt('alice', gridId, 100)).promptId, 8);
      answer = async () => answerWith(30);
      assert.equal((await assistant().chat(caller, 'Why?', undefined)).energyConsumed, 2);
      assert.equal(prompts[0].maxSources, 1);
      await assert.rejects(assistant().chat(caller, 'Why?', undefined), { code: 'energy-exhausted' });
    });

    it('asks nobody where the assistant is switched off', async () => {
      limits = { ...limits, dailyPromptLimit: 0 };
      await assert.rejects(assistant().chat(caller, 'Why?', undefined), { code: 'assistant-disabled' });
      assert.deepEqual([prompts, await accounts()], [[], []]);
    });

    it('costs nothing when the session is over', async () => {
      await commands.endSession('alice', gridId, caller.instanceId);
      await assert.rejects(assistant().chat(caller, 'Why?', undefined), { code: 'session-not-found' });
      assert.deepEqual([prompts, (await accounts()).at(-1)?.[0], await left()], [[], 'PromptRefunded', 10]);
    });

    it('costs nothing when there is no answer, or when it cannot be kept', async () => {
      const failing = { code: 'unavailable' };
      answer = () => Promise.reject(new HindsightError('unavailable', 'The store is unavailable.'));
      await assert.rejects(assistant().chat(caller, 'Why?', undefined), failing);
      answer = async () => answerWith(2);
      const away = () => Promise.reject(new HindsightError('unavailable', 'The log is unavailable.'));
      await assert.rejects(assistant({ recordTurn: away }).chat(caller, 'Why?', undefined), failing);
      await assert.rejects(assistant({ settlePrompt: away }).chat(caller, 'Why?', undefined), failing);
      assert.deepEqual(
        (await accounts()).map(([type]) => type),
        Array.from({ length: 3 }, () => ['PromptReserved', 'PromptRefunded']).flat(),
      );
    });

    it('reports the failure itself where giving back fails too', async () => {
      answer = () => Promise.reject(new Error('first'));
      await assert.rejects(
        assistant({ refundPrompt: () => Promise.reject(new Error('second')) }).chat(caller, 'My secret?', undefined),
        /first/,
      );
      assert.equal(logged.length, 1);
      assert.doesNotMatch(logged[0], /secret/);
    });

    it('costs nothing when nobody waits any more, whether or not the answerer notices', async () => {
      const leaving = new AbortController();
      let reported: AbortSignal | undefined;
      answer = (_, signal) => {
        reported = signal;
        leaving.abort();
        return NEVER();
      };
      await assert.rejects(assistant().chat(caller, 'Why?', undefined, leaving.signal), { name: 'AbortError' });
      assert.deepEqual([reported?.aborted, (await accounts()).at(-1)?.[0]], [true, 'PromptRefunded']);
      await assert.rejects(assistant().chat(caller, 'Why?', undefined, leaving.signal), { name: 'AbortError' });
      assert.equal(prompts.length, 1);
    });

    it('costs nothing when an answer takes too long', async () => {
      answer = NEVER;
      await assert.rejects(assistant({}, 20).chat(caller, 'Why?', undefined), { code: 'unavailable' });
      assert.equal((await accounts()).at(-1)?.[0], 'PromptRefunded');
    });

    it('answers as many at once as there are prompts', async () => {
      limits = { ...limits, dailyPromptLimit: 5 };
      const outcomes = await Promise.allSettled(
        Array.from({ length: 100 }, () => assistant().chat(caller, 'Why?', undefined)),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 5);
      assert.equal(prompts.length, 5);
    });

    it('has spent just what its replies say, whatever went wrong in between', async () => {
      const story = fc.array(fc.record({ sources: fc.nat(9), ends: fc.constantFrom('well', 'badly', 'unheard') }), {
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(story, async (steps) => {
          store = new MemoryEventStore();
          commands = createAssistantCommands({ log: store, newId: randomUUID, now: () => DAWN });
          caller = { ...caller, instanceId: (await commands.startSession('alice', gridId, 10)).instanceId };
          let [spent, replies] = [0, 0];
          for (const { sources, ends } of steps) {
            const leaving = new AbortController();
            answer = async (prompt) => {
              if (ends === 'badly') throw new Error('badly');
              if (ends === 'unheard') leaving.abort();
              return answerWith(Math.min(sources, prompt.maxSources));
            };
            const reply = await assistant()
              .chat(caller, 'Why?', undefined, leaving.signal)
              .catch(() => undefined);
            spent += reply?.energyConsumed ?? 0;
            replies += reply === undefined ? 0 : 1;
          }
          const settled = (await accounts()).filter(([type]) => type === 'PromptSettled');
          assert.deepEqual(
            [settled.length, settled.reduce((sum, [, energy]) => sum + Number(energy), 0)],
            [replies, spent],
          );
          assert.equal(await left().catch(() => 0), Math.min(10, 100 - spent));
        }),
        { numRuns: 30 },
      );
    });
  });

  describe('synthesis', () => {
    it('pays for the length of the sound', async () => {
      const sound = await assistant().synthesize(caller, 'Hello', 'hindsight', 1);
      assert.equal(sound.samples.length, 10_000);
      assert.deepEqual(await parse(), [
        ['SpeechReserved', 'synthesis 10'],
        ['SpeechSettled', 'synthesis 10'],
      ]);
    });

    it('is refused whole where it does not fit, and not begun where nothing is left', async () => {
      limits = { ...limits, monthlySpeechMinutes: 1 };
      speak = async () => seconds(60.001);
      await assert.rejects(assistant().synthesize(caller, 'Hello', 'hindsight', 1), {
        code: 'speech-minutes-exceeded',
        retryAtMs: Date.UTC(2026, 11),
      });
      assert.deepEqual(await parse(), []);
      [usedSeconds, speak] = [60, () => assert.fail('nobody should speak')];
      await assert.rejects(assistant().synthesize(caller, 'Hello', 'hindsight', 1), {
        code: 'speech-minutes-exceeded',
        retryAtMs: Date.UTC(2026, 11),
      });
    });

    it('costs nothing where there is no sound, no session, or nobody to hear it', async () => {
      speak = () => Promise.reject(new HindsightError('speech-unavailable', 'Install it.'));
      await assert.rejects(assistant().synthesize(caller, 'Hello', 'hindsight', 1), { code: 'speech-unavailable' });
      speak = NEVER;
      await assert.rejects(assistant({}, 20).synthesize(caller, 'Hello', 'hindsight', 1), { code: 'unavailable' });
      await assert.rejects(assistant().synthesize(caller, 'Hello', 'hindsight', 1, AbortSignal.abort()), {
        name: 'AbortError',
      });
      speak = () => assert.fail('nobody should speak');
      await assert.rejects(assistant().synthesize({ ...caller, instanceId: randomUUID() }, 'Hello', 'hindsight', 1), {
        code: 'session-not-found',
      });
      assert.deepEqual(await parse(), []);
    });

    it('speaks as much at once as there are minutes', async () => {
      limits = { ...limits, monthlySpeechMinutes: 1 };
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, () => assistant().synthesize(caller, 'Hello', 'hindsight', 1)),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 6);
    });
  });

  describe('recognition', () => {
    it('pays for the length of the recording, and knows the names of the Grid', async () => {
      let names: readonly string[] = [];
      recognize = async (_, known) => ((names = known), { text: 'why is checkout slow', confidence: 0.9 });
      assert.deepEqual(await assistant().recognize(caller, new Uint8Array(3)), {
        text: 'why is checkout slow',
        confidence: 0.9,
        durationMs: 10_000,
      });
      assert.deepEqual(names, ['checkout', 'charge']);
      assert.deepEqual(await parse(), [
        ['SpeechReserved', 'recognition 10'],
        ['SpeechSettled', 'recognition 10'],
      ]);
    });

    it('understands long recordings piece by piece', async () => {
      decode = async () => seconds(40);
      const { text, durationMs } = await assistant().recognize(caller, new Uint8Array(3));
      assert.deepEqual([text.split('why').length - 1 >= 3, durationMs], [true, 40_000]);
    });

    it('receives a short recording of another user between the pieces of long ones', async () => {
      const { instanceId } = await commands.startSession('bob', 'another grid', 10);
      const bob = { ...caller, userId: 'bob', accountId: 'bob', gridId: 'another grid', instanceId };
      decode = async (audio) => seconds(audio.length);
      const notified: number[] = [];
      const ends: (() => void)[] = [];
      recognize = (sound) => {
        notified.push(sound.samples.length / sound.sampleRate);
        return new Promise((resolve) => ends.push(() => resolve({ text: 'why', confidence: 0.9 })));
      };
      const shared = assistant({}, 60_000);
      const long = [1, 2].map(() => shared.recognize(caller, new Uint8Array(240)));
      await waitUntil(() => ends.length === 2, 'both long recordings are being recognized');
      const short = shared.recognize(bob, new Uint8Array(3));
      const isOver = Promise.all([...long, short]);
      while (!notified.includes(3)) {
        ends.shift()!();
        await waitUntil(() => ends.length === 2 || notified.includes(3), 'the next piece');
      }
      assert.ok(notified.length < 10, `${notified.length} pieces`);
      const finish = setInterval(() => ends.splice(0).forEach((end) => end()), 1);
      await isOver.finally(() => clearInterval(finish));
    });

    it('gives back what was reserved when nothing can be understood, or takes too long', async () => {
      recognize = () => Promise.reject(new HindsightError('speech-unavailable', 'Install it.'));
      await assert.rejects(assistant().recognize(caller, new Uint8Array(3)), { code: 'speech-unavailable' });
      recognize = NEVER;
      await assert.rejects(assistant({}, 20).recognize(caller, new Uint8Array(3)), { code: 'unavailable' });
      assert.deepEqual(
        (await parse()).map(([type]) => type),
        ['SpeechReserved', 'SpeechRefunded', 'SpeechReserved', 'SpeechRefunded'],
      );
    });

    it('takes nothing for what is no recording, too long, or of nobody in session', async () => {
      decode = () => Promise.reject(new HindsightError('audio-unsupported', 'No recording.'));
      await assert.rejects(assistant().recognize(caller, new Uint8Array(3)), { code: 'audio-unsupported' });
      decode = async () => seconds(61);
      limits = { ...limits, monthlySpeechMinutes: 1 };
      await assert.rejects(assistant().recognize(caller, new Uint8Array(3)), { code: 'speech-minutes-exceeded' });
      decode = () => assert.fail('nobody should listen');
      await assert.rejects(assistant().recognize({ ...caller, userId: 'bob' }, new Uint8Array(3)), {
        code: 'session-not-found',
      });
      assert.deepEqual(await parse(), []);
    });
  });

  it('lists the voices of the synthesizer', async () => {
    assert.deepEqual(
      (await assistant().voices()).map(({ name }) => name),
      ['hindsight'],
    );
  });
});

function answerWith(sources: number): Answer {
  return {
    response: 'So.',
    sources: Array.from({ length: sources }, (_, i) => ({ type: 'health', description: `${i}` })),
    queries: [],
    energy: 1 + sources,
    suggestedFollowUps: ['And?'],
    focus: { about: 'it' },
  };
}

function seconds(length: number): PcmAudio {
  return { samples: new Float32Array(Math.round(length * 1_000)), sampleRate: 1_000 };
}

interface Engines {
  readonly speak: SpeechEngines['synthesizer']['synthesize'];
  readonly decode: SpeechEngines['decoder']['decode'];
  readonly recognize: SpeechEngines['recognizer']['recognize'];
}

function speechOf({ speak, decode, recognize }: Engines): SpeechEngines {
  const component = { check: async () => ({ ok: true }) as const, close: async () => undefined };
  return {
    synthesizer: {
      ...component,
      voices: async () => [{ name: 'hindsight', description: '', language: 'en' }],
      synthesize: speak,
    },
    decoder: { ...component, decode },
    recognizer: { ...component, recognize },
  };
}
