import assert from 'node:assert/strict';
import type { Answer } from '../../../../src/assistant/answerer.js';
import { createAnalyst } from '../../../../src/assistant/analyst/analyst.js';
import { NOW } from '../shop.js';
import { SILENCE } from '../../../support/fake-notifications.js';
import { INCIDENT_DETAIL } from '../../../support/fake-incidents.js';
import { SHOP } from '../shop.js';
import { shopQueries, type ShopQueries } from '../shop-queries.js';

const GRID = '6b1e3f0a-0000-4000-8000-000000000001';

interface Talk {
  readonly answers: readonly string[];
  /** Names of the queries of the last answer, without those that load the vocabulary. */
  readonly asked: readonly string[];
}

/** The answers of one conversation. */
async function talk(
  texts: readonly string[],
  mayAdminister = true,
  { queries, calls }: ShopQueries = shopQueries(),
): Promise<Talk> {
  const analyst = createAnalyst(queries);
  const answers: Answer[] = [];
  let before = 0;
  for (const text of texts) {
    before = calls.length;
    const turns = answers.map(({ response, focus }, at) => ({ prompt: texts[at], response, focus, at: NOW }));
    const prompt = { text, gridId: GRID, userId: 'u-1', mayAdminister, turns, nowMs: NOW, maxSources: 9 };
    answers.push(await analyst.answer(prompt, new AbortController().signal));
  }
  const asked = calls.slice(before).map(({ name }) => name);
  return { answers: answers.map(({ response }) => response), asked };
}

async function lastAnswer(...texts: readonly string[]): Promise<string> {
  return (await talk(texts)).answers.at(-1)!;
}

describe('records that people work on', () => {
  it('are objectives, with budget and burn rates', async () => {
    for (const text of ['did we meet our objectives?', 'which SLO burns fastest?', 'how much error budget is left?']) {
      const { answers, asked } = await talk([text]);
      assert.match(answers[0], /^1 objective: \d met, \d missed\n- .*of the error budget is left .*burn rate/, text);
      assert.ok(asked.includes('assessSlos'), text);
    }
  });

  it('are objectives whose window is their own: another time is refused', async () => {
    const answer = await lastAnswer('did we meet our objectives yesterday?');
    assert.match(answer, /^I can’t apply “the time” to this question, so I give no figures/);
  });

  it('are incidents by state, service and time, also in follow-ups', async () => {
    const { answers, asked } = await talk(['how many incidents were there today?', 'which of them are resolved?']);
    assert.match(answers[0], /^1 incident since 00:00 UTC:\n- /);
    assert.match(answers[1], /^(?:No|1) incident \(resolved\) since 00:00 UTC/);
    assert.ok(asked.includes('incidents'));
    assert.match(await lastAnswer('which incidents touched shipping?'), /^No incident of shippingService/);
    assert.match(
      await lastAnswer('has anybody taken the open incidents?'),
      /incident \(not resolved\) \(acknowledged\)/,
    );
  });

  it('are objectives by name', async () => {
    assert.match(
      await lastAnswer('how much budget does "no such objective" have left?'),
      /^No objective called “no such objective” is defined\. There is /,
    );
    assert.match(await lastAnswer('which objective is in danger?'), /^1 objective: /);
    assert.doesNotMatch(await lastAnswer('how much of my energy budget is left?'), /objective/);
  });

  it('are incidents that began in a time, and the longest', async () => {
    assert.match(
      await lastAnswer('which incidents were opened in the last minute?'),
      /^No incident opened in the last minute/,
    );
    assert.match(
      await lastAnswer('which incidents started in the last minute?'),
      /^No incident started in the last minute/,
    );
    assert.doesNotMatch(await lastAnswer('how many new incidents are there?'), /^\d+ incident/);
    assert.match(await lastAnswer('which incident of today lasted longest?'), /^1 incident.*, the longest first:\n- /);
  });

  it('tell when a problem began and ended that has no diagnosis', async () => {
    const { answers, asked } = await talk(['when did payment start to fail, and when did it recover?']);
    assert.match(answers[0], /^The newest incident of payment in the last 24 hours: /);
    assert.ok(asked.includes('incidents'));
  });

  it('are the log entries before, of which one is asked for', async () => {
    const { asked } = await talk(['show me error logs of payment', 'when was the last one?']);
    assert.ok(!asked.includes('diagnosis'), asked.join());
    const { answers } = await talk(['show me error logs of payment', 'when was the last one?']);
    assert.doesNotMatch(answers[1], /^\d+ log entries in/, 'the conditions of the question before are kept');
    const refused = await talk(['how many requests did no-such-thing get?', 'and how many of them failed?']);
    assert.match(refused.answers[1], /^I did not answer the question before/);
  });

  it('are alerts of a service by who has acknowledged them, whatever their rule', async () => {
    assert.doesNotMatch(await lastAnswer('who acknowledged the payment alert?'), /in the name of its rule/);
  });

  it('are alert rules that apply to a service', async () => {
    assert.match(await lastAnswer('which alert rules apply to payment?'), /^\d+ alert rules? for payment:/);
  });

  it('are not what an unknown verb asks for', async () => {
    assert.match(await lastAnswer('what did the outage cost us?'), /^I can’t apply “cost”/);
    assert.match(await lastAnswer('who closed the last incident'), /^I can’t apply “who closed”/);
    assert.match(
      await lastAnswer('how many buyers did we serve today?'),
      /^I (?:can’t apply|did not understand|know this only from)/,
    );
  });

  it('are incidents, and not events before something else', async () => {
    assert.match(
      await lastAnswer('which incidents came before the payment errors?'),
      /^I can’t apply “before the payment errors”/,
    );
  });

  it('are silences by state and service, for those who may read them', async () => {
    assert.match(
      await lastAnswer('which silences have ended?'),
      /^1 silence that is over:\n- service = checkout: over/,
    );
    assert.equal(await lastAnswer('which silences are active?'), 'No silence that is active (1 other).');
    assert.match(await lastAnswer('which silences have ended?', 'who created it?'), /created by owner/);
    const { answers } = await talk(['which silences are active?', 'since when?'], false);
    assert.match(answers[0], /^Only Members and Owners of this Grid can read its alert rules and silences/);
    assert.match(answers[1], /^I did not answer the question before/);
  });

  it('are error groups by status', async () => {
    for (const text of [
      'how many unresolved error groups are there?',
      'which errors came back after they were resolved?',
    ])
      assert.ok((await talk([text])).asked.includes('findErrorGroups'), text);
  });

  it('are alert rules about a metric, and alerts that nobody has acknowledged', async () => {
    assert.match(
      await lastAnswer('what threshold does the apdex rule have?'),
      /alert rules? (?:about “apdex” )?|No alert rule about “apdex”/,
    );
    assert.match(await lastAnswer('which alerts are not acknowledged?'), /without acknowledgement/);
  });
});

describe('states and severities of records', () => {
  const HOUR_MS = 3_600_000;

  it('are applied to silences, each alone or together', async () => {
    const shop = shopQueries();
    const silences = [
      { ...SILENCE, id: '1', startsAt: NOW - HOUR_MS, endsAt: NOW + HOUR_MS },
      { ...SILENCE, id: '2', startsAt: NOW + HOUR_MS, endsAt: NOW + 2 * HOUR_MS },
      { ...SILENCE, id: '3', startsAt: NOW - 2 * HOUR_MS, endsAt: NOW - HOUR_MS },
    ];
    const queries = { ...shop.queries, notifications: { silences: async () => silences } };
    const heads = {
      'how many active silences are there?': '1 silence that is active (2 others):',
      'are there any planned silences?': '1 silence that is planned (2 others):',
      'which silences have not ended?': '2 silences that are active or planned (1 other):',
      'active and expired silences': '2 silences that are active or over (1 other):',
      silences: '2 silences that are active or planned (1 other):',
    };
    for (const [text, head] of Object.entries(heads))
      assert.equal((await talk([text], true, { ...shop, queries })).answers[0].split('\n')[0], head, text);
    assert.match(await lastAnswer('which silences are not active?'), /^I can’t apply “not active”/);
    assert.match(await lastAnswer('how many expired silences are there?'), /^1 silence that is over:/);
    assert.doesNotMatch(await lastAnswer('how many alerts are silenced?'), /^\d+ silence/);
  });

  it('are planned silences of later today, and no others', async () => {
    const shop = shopQueries();
    const silences = [
      { ...SILENCE, id: '1', startsAt: NOW - HOUR_MS, endsAt: NOW + HOUR_MS },
      { ...SILENCE, id: '2', startsAt: NOW + HOUR_MS, endsAt: NOW + 2 * HOUR_MS },
      { ...SILENCE, id: '3', startsAt: NOW + 48 * HOUR_MS, endsAt: NOW + 49 * HOUR_MS },
    ];
    const queries = { ...shop.queries, notifications: { silences: async () => silences } };
    const { answers } = await talk(['which silences begin later today?'], true, { ...shop, queries });
    assert.match(answers[0], /^1 silence that is planned for later today \(2 others\):/);
    assert.match(await lastAnswer('which silences were active yesterday?'), /^I can’t apply “the time”/);
  });

  it('are applied to error groups, where several may be asked for', async () => {
    const asked = {
      'unresolved error groups': ['open', 'reopened'],
      'reopened or open error groups': ['reopened', 'open'],
      'open error groups': ['open'],
      'resolved error groups': ['resolved'],
    };
    for (const [text, statuses] of Object.entries(asked)) {
      const shop = shopQueries();
      await talk([text], true, shop);
      const [query] = shop.calls.flatMap(({ name, with: given }) => (name === 'findErrorGroups' ? [given[0]] : []));
      assert.deepEqual((query as { readonly statuses?: unknown }).statuses, statuses, text);
    }
    assert.match(await lastAnswer('error groups that were not reopened'), /^I can’t apply “not reopened”/);
    // They are listed by their number of exceptions.
    assert.match(await lastAnswer('last error group'), /^I can’t apply “last”/);
  });

  it('are those of alerts, and no words of their rules', async () => {
    const { answers } = await talk(['how many unresolved alerts are there?', 'how many alerts are firing?']);
    assert.equal(answers[0].split(':')[0], answers[1].split(':')[0]);
    assert.match(answers[0], /^\d+ alerts? firing/);
    assert.match(await lastAnswer('pending alerts'), /^No alert that is firing has “pending” in the name of its rule/);
    for (const text of ['how many warnings are still open?', 'unresolved warnings'])
      assert.match(await lastAnswer(text), /warning alerts? (?:is )?firing/, text);
    assert.match(await lastAnswer('open or resolved alerts'), /^I can’t apply “open or resolved”/);
  });

  it('are severities of alerts, alone, together and negated', async () => {
    const [alert] = SHOP.alerts;
    const alerts = (['info', 'warning', 'critical'] as const).map((severity) => ({
      ...alert,
      id: severity,
      severity,
      ruleName: 'Rule',
    }));
    const listed = {
      'info alerts': ['info'],
      'critical or warning alerts': ['critical', 'warning'],
      'critical but not warning alerts': ['critical'],
      'alerts that are not critical': ['info', 'warning'],
      'alerts that are not critical or warning': ['info'],
    };
    for (const [text, severities] of Object.entries(listed)) {
      const { answers } = await talk([text], true, shopQueries({ alerts }));
      const found = [...answers[0].matchAll(/^- Rule.*? \((\w+)\)/gm)].map(([, severity]) => severity);
      assert.deepEqual(found.sort(), severities, `${text}: ${answers[0]}`);
    }
  });

  it('are those that alert rules raise', async () => {
    const [rule] = SHOP.rules;
    const { criticalThreshold: _, ...warning } = { ...rule, criticalThreshold: 10 };
    const rules = [
      rule,
      { ...warning, id: 'r-2', name: 'Low Apdex' },
      { ...warning, id: 'r-3', severity: 'critical' as const },
    ];
    const heads = {
      'critical alert rules': '2 alert rules whose alerts can be critical:',
      'which rules are critical?': '2 alert rules whose alerts can be critical:',
      'warning alert rules': '2 alert rules whose alerts can be warnings:',
      'rules that are not critical': '1 alert rule whose alerts are never critical:',
    };
    for (const [text, head] of Object.entries(heads))
      assert.equal((await talk([text], true, shopQueries({ rules }))).answers[0].split('\n')[0], head, text);
  });

  it('are those of incidents, where several are named', async () => {
    assert.match(await lastAnswer('active or resolved incidents'), /^1 incident \(not resolved or resolved\):/);
    assert.match(await lastAnswer('reopened incidents'), /incident \(reopened\)/);
  });

  it('are not those of incidents that were not looked at', async () => {
    const shop = shopQueries();
    const incidents = async (): ReturnType<typeof shop.queries.incidents.incidents> => ({
      incidents: [INCIDENT_DETAIL],
      totalCount: 30,
    });
    const queries = { ...shop.queries, incidents: { ...shop.queries.incidents, incidents } };
    const { answers } = await talk(['what was the first incident?'], true, { ...shop, queries });
    assert.match(answers[0], /^I can’t tell the first of 30 incidents: I look at 1 of them/);
  });
});

describe('ways that somebody asks for', () => {
  const WAYS: Readonly<Record<string, RegExp>> = {
    'how do I create an api key for the collector?': /^Members and Owners issue API keys/,
    'how can I silence an alert for two hours?': /^Members and Owners silence an alert/,
    'where do I see whether a notification was delivered?': /^Members and Owners manage channels/,
    'what command resolves an incident?': /^The page Incidents/,
  };
  for (const [text, expected] of Object.entries(WAYS))
    it(`are told: “${text}”`, async () => assert.match(await lastAnswer(text), expected));

  it('are no deeds, and no questions about telemetry', async () => {
    assert.match(await lastAnswer('delete the silence on payment'), /^I cannot do that/);
    assert.match(await lastAnswer('show me the api keys'), /^I cannot help with that/);
    assert.match(await lastAnswer('how do I fix payment?'), /payment/);
  });
});

describe('questions that another answer would ignore', () => {
  const REFUSED: Readonly<Record<string, RegExp>> = {
    'which region is suffering most?': /“region”/,
    'what changed before the checkout slowdown?': /“before the checkout slowdown”/,
    'how long is telemetry kept?': /“kept”/,
  };
  for (const [text, named] of Object.entries(REFUSED))
    it(`are refused: “${text}”`, async () => {
      const answer = await lastAnswer(text);
      assert.match(answer, /^I can’t apply .* so I give no figures/);
      assert.match(answer, named);
    });

  it('are parts of a question that was refused', async () => {
    for (const part of ['since when?', 'which of them are open?', 'and payment?'])
      assert.match(
        await lastAnswer('how many gold customers complained?', part),
        /^I did not answer the question before/,
        part,
      );
  });

  it('continue a figure whose conditions they cannot apply', async () => {
    const answer = await lastAnswer('how many requests had a duration above 200 ms?', 'is that getting worse?');
    assert.match(answer, /^I can’t apply .*200/);
  });
});
