import assert from 'node:assert/strict';
import {
  alertRulesDecider,
  type AlertRuleCommand,
  type AlertRulesEvent,
} from '../../../../src/commands/alert-rules/alert-rule-decider.js';
import {
  ALERT_RULE_BOUNDS,
  type AlertRule,
  type MetricAlertRule,
} from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import { createDefaultAlertRules } from '../../../../src/streams/events/grid-defaults.js';
import type { Precondition } from '../../../../src/commands/decider.js';
import { specify } from '../given.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const by = { actor: 'alice', at: 1_700_000_000_000, gridId };
const { given } = specify(alertRulesDecider);

const gridCreated: AlertRulesEvent = { type: 'GridCreated.v1', data: { ...by, name: 'shop' } };
const rule: MetricAlertRule = {
  id: 'r1',
  name: 'Slow checkout',
  metric: 'latency_p95',
  operator: '>',
  threshold: 1_500,
  severity: 'warning',
  serviceName: 'checkout',
  windowMinutes: 10,
  forMinutes: 2,
  minRequests: 50,
  enabled: true,
};
const created: AlertRulesEvent = { type: 'AlertRuleCreated.v3', data: { ...by, rule } };
const [firstDefault] = createDefaultAlertRules(gridId) as AlertRule[];

function create(changes: Partial<MetricAlertRule> = {}): AlertRuleCommand {
  return { ...by, type: 'CreateAlertRule', rule: { ...rule, ...changes } };
}

function change(changed: AlertRule, onlyIf?: Precondition<AlertRule>): AlertRuleCommand {
  return { ...by, type: 'ChangeAlertRule', rule: changed, onlyIf };
}

function remove(ruleId: string, onlyIf?: Precondition<AlertRule>): AlertRuleCommand {
  return { ...by, type: 'DeleteAlertRule', ruleId, onlyIf };
}

describe('alert rules: lifecycle', () => {
  it('begins with a Grid', () => {
    for (const command of [create(), change(rule), remove('r1')]) given().when(command).thenRejected('not-found');
  });
  it('is to be created, replaced and deleted', () => {
    given(gridCreated).when(create()).then(created);
    const { serviceName: _, ...everywhere } = { ...rule, threshold: 900 };
    given(gridCreated, created)
      .when(change(everywhere))
      .then({ type: 'AlertRuleChanged.v3', data: { ...by, rule: everywhere } });
    given(gridCreated, created)
      .when(remove('r1'))
      .then({ type: 'AlertRuleDeleted.v1', data: { ...by, ruleId: 'r1' } });
  });
  it('writes nothing where nothing changes', () =>
    given(gridCreated, created)
      .when(change({ ...rule }))
      .then());
  it('ends with its deletion', () => {
    const deleted: AlertRulesEvent = { type: 'AlertRuleDeleted.v1', data: { ...by, ruleId: 'r1' } };
    for (const command of [change(rule), remove('r1')])
      given(gridCreated, created, deleted).when(command).thenRejected('not-found');
  });
  it('is left as it is where its author expects another one', () => {
    const onlyIf = ({ threshold }: AlertRule): boolean => threshold === rule.threshold;
    const raised: AlertRulesEvent = { type: 'AlertRuleChanged.v3', data: { ...by, rule: { ...rule, threshold: 9 } } };
    given(gridCreated, created)
      .when(change({ ...rule, threshold: 9 }, onlyIf))
      .then(raised);
    for (const command of [change({ ...rule, threshold: -1 }, onlyIf), remove('r1', onlyIf)])
      given(gridCreated, created, raised).when(command).thenRejected('precondition-failed');
    given(gridCreated, created)
      .when(remove('r1', onlyIf))
      .then({ type: 'AlertRuleDeleted.v1', data: { ...by, ruleId: 'r1' } });
    given(gridCreated).when(remove('r1', onlyIf)).thenRejected('not-found');
  });
  it('needs an id of its own', () => given(gridCreated, created).when(create()).thenRejected('conflict'));
  it('knows no rule that was not created', () => {
    given(gridCreated).when(change(rule)).thenRejected('not-found');
    given(gridCreated)
      .when(change({ ...rule, threshold: -1 }))
      .thenRejected('not-found');
  });
});

describe('alert rules: defaults', () => {
  it('exist from the creation of the Grid, and are rules like others', () => {
    given(gridCreated)
      .when(change({ ...firstDefault, enabled: false }))
      .then({ type: 'AlertRuleChanged.v3', data: { ...by, rule: { ...firstDefault, enabled: false } } });
    given(gridCreated)
      .when(remove(firstDefault.id))
      .then({ type: 'AlertRuleDeleted.v1', data: { ...by, ruleId: firstDefault.id } });
    given(gridCreated)
      .when(create({ id: firstDefault.id }))
      .thenRejected('conflict');
  });

  it('are those of the contract, under ids that never change and differ by Grid', () => {
    const reported = createDefaultAlertRules(gridId).map(
      ({ metric, operator, threshold, severity, criticalThreshold, windowMinutes, minRequests, enabled }) => [
        metric,
        operator,
        threshold,
        severity,
        criticalThreshold,
        windowMinutes,
        minRequests,
        enabled,
      ],
    );
    assert.deepEqual(reported, [
      ['error_rate', '>', 5, 'warning', 10, 15, 20, true],
      ['latency_p95', '>', 2_000, 'warning', 4_000, 15, 20, true],
      ['apdex', '<', 0.7, 'warning', undefined, 15, 20, true],
      ['pressure', '>=', 90, 'critical', undefined, 15, 20, true],
    ]);
    const ids = [...createDefaultAlertRules(gridId), ...createDefaultAlertRules('another')].map(({ id }) => id);
    assert.equal(new Set(ids).size, 8);
    assert.ok(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
    assert.equal(ids[0], '63258698-1ca0-8dcb-9993-c5bfb17e6349');
  });

  it('obey the rules for rules', () => {
    for (const each of createDefaultAlertRules(gridId) as AlertRule[]) {
      const copy = { ...each, id: 'copy' };
      given(gridCreated)
        .when({ ...by, type: 'CreateAlertRule', rule: copy })
        .then({ type: 'AlertRuleCreated.v3', data: { ...by, rule: copy } });
    }
  });
});

describe('alert rules: validation', () => {
  it('reports all errors at once', () => {
    const faulty = {
      name: ' ',
      metric: 'speed',
      operator: '!=',
      threshold: Number.NaN,
      severity: 'bad',
      serviceName: '',
      windowMinutes: 0,
      forMinutes: 61,
      minRequests: 1.5,
      enabled: 'yes',
    } as unknown as MetricAlertRule;
    given(gridCreated)
      .when(create(faulty))
      .thenRejected(
        'invalid-request',
        'name',
        'metric',
        'operator',
        'threshold',
        'severity',
        'serviceName',
        'windowMinutes',
        'forMinutes',
        'minRequests',
        'enabled',
      );
  });

  const faults: [string, Partial<MetricAlertRule>][] = [
    ['threshold', { metric: 'error_rate', threshold: 100.1 }],
    ['threshold', { metric: 'apdex', operator: '<', threshold: 1.01 }],
    ['threshold', { threshold: -0.1 }],
    ['criticalThreshold', { criticalThreshold: 1_499 }],
    ['criticalThreshold', { metric: 'apdex', operator: '<', threshold: 0.7, criticalThreshold: 0.8 }],
    ['criticalThreshold', { metric: 'error_rate', threshold: 50, criticalThreshold: 101 }],
    ['windowMinutes', { windowMinutes: 61 }],
    ['name', { name: 'x'.repeat(201) }],
  ];
  for (const [field, changes] of faults) {
    it(`refuses ${JSON.stringify(changes).slice(0, 80)}`, () => {
      given(gridCreated).when(create(changes)).thenRejected('invalid-request', field);
      given(gridCreated, created)
        .when(change({ ...rule, ...changes }))
        .thenRejected('invalid-request', field);
    });
  }

  it('takes what is at the bounds', () => {
    const extreme = {
      ...rule,
      id: 'r2',
      name: '😀'.repeat(200),
      metric: 'apdex',
      operator: '<=',
      threshold: 1,
      criticalThreshold: 0,
      windowMinutes: 60,
      forMinutes: 60,
      minRequests: 0,
    } as const;
    given(gridCreated)
      .when(create(extreme))
      .then({ type: 'AlertRuleCreated.v3', data: { ...by, rule: extreme } });
  });

  it('lets a Grid have so many rules and no more', () => {
    const many = Array.from({ length: ALERT_RULE_BOUNDS.rulesOfAGrid - 4 }, (_, i): AlertRulesEvent => ({
      type: 'AlertRuleCreated.v3',
      data: { ...by, rule: { ...rule, id: `r${i}` } },
    }));
    given(gridCreated, ...many)
      .when(create({ id: 'new' }))
      .thenRejected('conflict');
    given(gridCreated, ...many.slice(1))
      .when(create({ id: 'new' }))
      .then({ type: 'AlertRuleCreated.v3', data: { ...by, rule: { ...rule, id: 'new' } } });
  });
});

describe('alert rules on new errors', () => {
  const onErrors: AlertRule = { ...rule, id: 'e', metric: 'new_errors', operator: '>=', threshold: 1 };
  const createOnErrors = (changes: object = {}): AlertRuleCommand => ({
    ...by,
    type: 'CreateAlertRule',
    rule: { ...onErrors, criticalThreshold: 100, ...changes } as AlertRule,
  });

  it('are created, and look for many exceptions of a group, not for few', () => {
    given(gridCreated)
      .when(createOnErrors())
      .then({ type: 'AlertRuleCreated.v3', data: { ...by, rule: { ...onErrors, criticalThreshold: 100 } } });
    for (const operator of ['<', '<='])
      given(gridCreated)
        .when(createOnErrors({ operator, criticalThreshold: undefined }))
        .thenRejected('invalid-request', 'operator');
  });

  it('count like rules on queries, since each is a query a minute', () => {
    const many = Array.from({ length: ALERT_RULE_BOUNDS.recordRulesOfAGrid }, (_, i): AlertRulesEvent => ({
      type: 'AlertRuleCreated.v3',
      data: { ...by, rule: { ...onErrors, id: `e${i}` } },
    }));
    given(gridCreated, ...many)
      .when(createOnErrors())
      .thenRejected('conflict');
    given(gridCreated, ...many.slice(1))
      .when(createOnErrors({ criticalThreshold: 2 }))
      .then({ type: 'AlertRuleCreated.v3', data: { ...by, rule: { ...onErrors, criticalThreshold: 2 } } });
  });
});

describe('alert rules on a query', () => {
  const { metric: _metric, ...common } = rule;
  const select = [{ fn: 'count', field: '', as: '' }];
  const query = { signal: 'logs', where: 'timeout', groupBy: ['service'], select };
  const onQuery: AlertRule = { ...common, id: 'q', query, threshold: -5, operator: '<' };
  const createdOnQuery: AlertRulesEvent = { type: 'AlertRuleCreated.v3', data: { ...by, rule: onQuery } };
  const createOnQuery = (changes: object = {}): AlertRuleCommand => ({
    ...by,
    type: 'CreateAlertRule',
    rule: { ...onQuery, ...changes } as AlertRule,
  });

  it('are created, and changed only where something changes', () => {
    given(gridCreated).when(createOnQuery()).then(createdOnQuery);
    given(gridCreated, createdOnQuery)
      .when(change({ ...onQuery, query: { ...query, select: [{ ...select[0] }] } }))
      .then();
    const changed: AlertRule = { ...onQuery, query: { ...query, where: 'timeout upstream' } };
    given(gridCreated, createdOnQuery)
      .when(change(changed))
      .then({ type: 'AlertRuleChanged.v3', data: { ...by, rule: changed } });
  });

  it('have either a metric or a query with one function', () => {
    given(gridCreated)
      .when(createOnQuery({ metric: 'apdex' }))
      .thenRejected('invalid-request', 'metric');
    given(gridCreated)
      .when(createOnQuery({ query: { ...query, select: [...select, ...select] } }))
      .thenRejected('invalid-request', 'query');
    given(gridCreated)
      .when(createOnQuery({ threshold: Infinity }))
      .thenRejected('invalid-request', 'threshold');
    given(gridCreated)
      .when(createOnQuery({ criticalThreshold: -4 }))
      .thenRejected('invalid-request', 'criticalThreshold');
  });

  it('are so many in a Grid and no more, by creation or by change', () => {
    const many = Array.from({ length: ALERT_RULE_BOUNDS.recordRulesOfAGrid }, (_, i): AlertRulesEvent => ({
      type: 'AlertRuleCreated.v3',
      data: { ...by, rule: { ...onQuery, id: `q${i}` } },
    }));
    given(gridCreated, ...many)
      .when(createOnQuery())
      .thenRejected('conflict');
    given(gridCreated, ...many, created)
      .when(change({ ...onQuery, id: rule.id }))
      .thenRejected('conflict');
    given(gridCreated, ...many)
      .when(change({ ...onQuery, id: 'q0', threshold: 7 }))
      .then({ type: 'AlertRuleChanged.v3', data: { ...by, rule: { ...onQuery, id: 'q0', threshold: 7 } } });
  });
});
