import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mintApiKey } from '../../../src/auth/api-key-secret.js';
import { alertRulesDecider, type NewAlertRule } from '../../../src/commands/alert-rules/alert-rule-decider.js';
import { createAlertRuleCommands } from '../../../src/commands/alert-rules/alert-rule-commands.js';
import { createAssistantCommands } from '../../../src/commands/assistant/assistant-commands.js';
import { chartsDecider } from '../../../src/commands/charts/chart-decider.js';
import { createChartCommands } from '../../../src/commands/charts/chart-commands.js';
import { gridDecider } from '../../../src/commands/grids/grid-decider.js';
import { createGridCommands } from '../../../src/commands/grids/grid-commands.js';
import { createCommandHandler, type CommandQueue } from '../../../src/commands/handle-command.js';
import { ALERT_RULE_BOUNDS } from '../../../src/diagnostics/alerting/alert-rule-model.js';
import type { NewChart } from '../../../src/diagnostics/chart-model.js';
import type { EventStore } from '../../../src/streams/event-store.js';
import type { GridEvent } from '../../../src/streams/events/grid-events.js';
import { gridStream, sessionsStream, usageStream } from '../../../src/streams/stream-names.js';
import type { Fault } from '../../support/eventstoredb-server/faults.js';
import { rule } from '../../unit/diagnostics/alerting/given-minutes.js';
import { Scene } from '../streams/adapters/eventstoredb/scene.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const stream = gridStream(gridId);
const PROCESSES = 4;
const ALL_AT_ONCE = 100;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NOON = Date.UTC(2026, 10, 20, 12);
const ruleCalled = (name: string): NewAlertRule => {
  const { id: _, ...others } = rule({ name });
  return others;
};
const CHART: NewChart = {
  title: 'Slow',
  chartType: 'line',
  metric: 'latency_p95',
  serviceName: '',
  groupBy: '',
  aggregation: '',
  unit: '',
};

/** All commands, as composition makes them in each process: one line for what concerns a Grid, a connection of its own to the log. */
function commandsOver(log: EventStore, now: () => number) {
  const gridCommandQueue: CommandQueue = new Map();
  const common = { newId: randomUUID, now };
  return {
    grids: createGridCommands({
      ...common,
      handle: createCommandHandler(log, gridDecider, 0, gridCommandQueue),
      mintApiKey,
    }),
    rules: createAlertRuleCommands({
      ...common,
      handle: createCommandHandler(log, alertRulesDecider, 0, gridCommandQueue),
    }),
    charts: createChartCommands({ ...common, handle: createCommandHandler(log, chartsDecider, 100, gridCommandQueue) }),
    assistant: createAssistantCommands({ ...common, log, gridCommandQueue }),
  };
}

type Commands = ReturnType<typeof commandsOver>;

describe('commands from several processes over one EventStoreDB', () => {
  const time = { now: NOON };
  let scene: Scene;
  let log: EventStore;
  let processes: Commands[];

  beforeEach(async () => {
    time.now = NOON;
    scene = await Scene.open();
    log = scene.store();
    processes = Array.from({ length: PROCESSES }, () => commandsOver(scene.store(), () => time.now));
    await createCommandHandler(log, gridDecider)(stream, {
      type: 'CreateGrid',
      actor: 'alice',
      at: NOON,
      gridId,
      name: 'shop',
      owner: { id: 'alice', kind: 'user' },
    });
  });
  afterEach(() => scene.close());

  /** What got through of a hundred at once, by turns in every process, and the codes of what did not. */
  async function atOnce<Answer>(
    work: (commands: Commands, n: number) => Promise<Answer>,
    many = ALL_AT_ONCE,
  ): Promise<{ through: Answer[]; codes: unknown[] }> {
    const outcomes = await Promise.allSettled(
      Array.from({ length: many }, (_, n) => work(processes[n % PROCESSES], n)),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { code: unknown }).code] : [],
    );
    return {
      through: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
      codes: [...new Set(refused)],
    };
  }

  async function typesIn(name: string): Promise<string[]> {
    return (await log.readStream(name)).map(({ type }) => type);
  }

  it('all get through where nothing forbids it, each once, whatever they concern', async () => {
    const { through, codes } = await atOnce<string>(async ({ grids, rules, charts, assistant }, n) => {
      if (n % 5 === 0) return (await grids.issueApiKey('alice', gridId, `key ${n}`)).keyId;
      if (n % 5 === 1) return (await rules.create('alice', gridId, ruleCalled(`rule ${n}`))).rule.id;
      if (n % 5 === 2) return (await charts.createChart('alice', gridId, { ...CHART, title: `chart ${n}` })).chart.id;
      if (n % 5 === 3) return (await grids.setMember('alice', gridId, `user ${n}`, 'Guest')).userId;
      return String((await assistant.updateLimits('alice', gridId, { dailyPromptLimit: n })).limits.dailyPromptLimit);
    });
    assert.deepEqual([through.length, new Set(through).size, codes], [ALL_AT_ONCE, ALL_AT_ONCE, []]);
    const types = await typesIn(stream);
    for (const type of ['ApiKeyIssued.v2', 'AlertRuleCreated.v3', 'ChartCreated.v2', 'LimitsUpdated.v1'])
      assert.equal(types.filter((each) => each === type).length, 20, type);
    assert.equal(types.filter((each) => each === 'MemberSet.v1').length, 21);
  });

  it('leave a Grid its last Owner, whoever removes whom where', async () => {
    const owners = ['alice', 'bob', 'carol', 'dave'];
    for (const owner of owners) await processes[0].grids.setMember('alice', gridId, owner, 'Owner', 'user');
    const { through, codes } = await atOnce(
      ({ grids }, n) =>
        n % 2 === 0
          ? grids.removeMember(owners[n], gridId, owners[n])
          : grids.setMember(owners[n], gridId, owners[n], 'Guest'),
      4,
    );
    assert.deepEqual([through.length, codes], [3, ['last-owner']]);
  });

  it('make no more alert rules than a Grid may have', async () => {
    const handle = createCommandHandler(log, alertRulesDecider);
    const { state: there } = await handle(stream);
    const room = ALERT_RULE_BOUNDS.rulesOfAGrid - there!.size;
    const creations = Array.from(
      { length: room - 7 },
      (_, n) => ({ type: 'CreateAlertRule', actor: 'alice', at: NOON, gridId, rule: rule({ id: `${n}` }) }) as const,
    );
    await handle(stream, ...creations);
    const { through, codes } = await atOnce(
      (each, n) => each.rules.create('alice', gridId, ruleCalled(`late ${n}`)),
      40,
    );
    assert.deepEqual([through.length, codes], [7, ['conflict']]);
  });

  it('change what all of them have read once, in whichever process', async () => {
    const { chart } = await processes[0].charts.createChart('alice', gridId, CHART);
    const onlyIf = ({ title }: NewChart): boolean => title === CHART.title;
    const { through, codes } = await atOnce(
      ({ charts }, n) => charts.changeChart('alice', gridId, chart.id, { ...CHART, title: `by ${n}` }, onlyIf),
      50,
    );
    assert.deepEqual([through.length, codes], [1, ['precondition-failed']]);
    assert.equal((await typesIn(stream)).filter((type) => type === 'ChartChanged.v2').length, 1);
  });

  it('give a key that all of them regenerate one secret that counts: that of the last event', async () => {
    const { keyId } = await processes[0].grids.issueApiKey('alice', gridId, 'shared');
    const { through } = await atOnce(({ grids }) => grids.regenerateApiKey('alice', gridId, keyId), 20);
    assert.equal(new Set(through.map(({ apiKey }) => apiKey)).size, 20);
    const regenerated = (await log.readStream(stream))
      .filter(({ type }) => type === 'ApiKeyRegenerated.v1')
      .map(({ data }) => data as GridEvent['data']);
    assert.equal(regenerated.length, 20);
  });

  it('are decided once though connections break before and after appends', async () => {
    const kinds = ['drop', 'apply-then-drop', 'apply-then-timeout', 'timeout'] as const;
    scene.server.faults.next(
      'append',
      ...Array.from({ length: 24 }, (_, n): Fault => ({ kind: kinds[n % kinds.length] })),
    );
    const { through, codes } = await atOnce(({ assistant }) => assistant.startSession('alice', gridId, 1_000));
    assert.deepEqual([through.length, codes], [ALL_AT_ONCE, []]);
    const started = (await log.readStream(sessionsStream(gridId))).map(
      ({ data }) => (data as { instanceId: string }).instanceId,
    );
    assert.deepEqual([...started].sort(), through.map(({ instanceId }) => instanceId).sort());
  });

  it('keep the caps where the clocks of their machines differ', async () => {
    processes = [-20, -3, 5, 20].map((seconds) => commandsOver(scene.store(), () => time.now + seconds * SECOND));
    const sessions = await atOnce(({ assistant }) => assistant.startSession('alice', gridId, 7));
    const prompts = await atOnce(({ assistant }) => assistant.reservePrompt('alice', gridId, 1_000));
    const speech = await atOnce(({ assistant }) => assistant.reserveSpeech('alice', gridId, 'synthesis', 6, 1));
    assert.deepEqual([sessions.through.length, prompts.through.length, speech.through.length], [7, 10, 10]);
    assert.deepEqual(
      [...sessions.codes, ...prompts.codes, ...speech.codes],
      ['session-limit-reached', 'energy-exhausted', 'speech-minutes-exceeded'],
    );
  });

  it('give back what a process reserved that is no more, once, and not before two minutes have gone by', async () => {
    await atOnce(({ assistant }) => assistant.reservePrompt('alice', gridId, 1_000), 10);
    const [, ...survivors] = processes;
    processes = [...survivors, commandsOver(scene.store(), () => time.now)];
    time.now = NOON + 2 * MINUTE - 1;
    assert.deepEqual((await atOnce(({ assistant }) => assistant.reservePrompt('alice', gridId, 1_000), 8)).through, []);
    time.now = NOON + 2 * MINUTE;
    assert.equal((await atOnce(({ assistant }) => assistant.reservePrompt('alice', gridId, 1_000))).through.length, 10);
    assert.equal((await typesIn(usageStream('alice'))).length, 20);
  });

  it('expire a session once, whoever looks, and keep it where it is used at the same time', async () => {
    const { through } = await atOnce(({ assistant }) => assistant.startSession('alice', gridId, 100), 5);
    time.now = NOON + 30 * MINUTE - 1;
    await processes[1].assistant.useSession('alice', gridId, through[0].instanceId);
    time.now = NOON + 30 * MINUTE;
    assert.deepEqual((await atOnce(({ assistant }) => assistant.expireSessions(gridId), 20)).codes, []);
    const ended = (await log.readStream(sessionsStream(gridId)))
      .filter(({ type }) => type === 'SessionEnded.v1')
      .map(({ data }) => (data as { instanceId: string }).instanceId);
    assert.deepEqual(
      ended.sort(),
      through
        .slice(1)
        .map(({ instanceId }) => instanceId)
        .sort(),
    );
  });

  it('settle a prompt once, at what the first one said, whoever else settles or refunds it at the same time', async () => {
    const { promptId } = await processes[0].assistant.reservePrompt('alice', gridId, 1_000);
    await atOnce(
      ({ assistant }, n) =>
        n % 2 === 0 ? assistant.settlePrompt('alice', promptId, 3) : assistant.refundPrompt('alice', promptId),
      40,
    );
    const ends = (await typesIn(usageStream('alice'))).slice(1);
    assert.equal(ends.length, 1, ends.join());
  });
});
