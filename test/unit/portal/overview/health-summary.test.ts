import assert from 'node:assert/strict';
import {
  describeApdex,
  describeTrend,
  computeGridApdex,
  describeHealth,
  describeAllClear,
  sortWorstFirst,
} from '../../../../portal/src/pages/overview/health-summary.js';

const service = (serviceName: string, recentStatus = 'healthy', requestCount = 10, apdex = 1) => ({
  serviceName,
  recentStatus,
  requestCount,
  apdex,
});

describe('overview summary', () => {
  it('describes the health of services', () => {
    assert.equal(describeHealth([service('a')]), 'The only service is healthy.');
    assert.equal(describeHealth([service('a'), service('b')]), 'All 2 services are healthy.');
    assert.equal(
      describeHealth([service('a'), service('b')], 1),
      'All 2 services are within thresholds, but a problem was detected.',
    );
    assert.equal(describeHealth([service('a', 'degraded'), service('b')]), '1 of 2 services is degraded: a.');
    assert.equal(describeHealth([service('a', 'degraded')]), '1 of 1 service is degraded: a.');
    assert.equal(
      describeHealth('abcd'.split('').map((name) => service(name, 'degraded'))),
      '4 of 4 services are degraded.',
    );
  });

  it('leads with what is degraded now, and calls what is over recovering', () => {
    assert.equal(
      describeHealth([service('a', 'degraded'), service('b', 'recovering'), service('c')]),
      '1 of 3 services is degraded: a. 1 of 3 services is recovering: b.',
    );
    assert.equal(
      describeHealth([service('a', 'recovering'), service('b')]),
      'No service is degraded any more. 1 of 2 services is recovering: a.',
    );
  });

  it('does not call services healthy that have no requests', () => {
    assert.equal(
      describeHealth([service('a'), service('b', 'unknown'), service('c')]),
      'All 2 services with recent requests are healthy.',
    );
    assert.equal(describeHealth([service('a', 'unknown')]), 'No service has had requests in the last 5 minutes.');
  });

  it('does not call a Grid healthy that has no service to judge', () => {
    assert.equal(describeHealth([]), 'No service has received requests, so there is no status.');
  });

  it('weights Apdex by requests', () => {
    assert.equal(
      computeGridApdex([
        service('a', 'healthy', 30, 1),
        service('b', 'healthy', 10, 0.2),
        service('c', 'healthy', 0, 0),
      ]),
      0.8,
    );
    assert.equal(computeGridApdex([service('a', 'healthy', 0, 1)]), undefined);
  });

  it('sorts degraded services first, then by requests', () => {
    assert.deepEqual(
      sortWorstFirst([service('a', 'healthy', 5), service('b', 'healthy', 9), service('c', 'degraded', 1)]).map(
        ({ serviceName }) => serviceName,
      ),
      ['c', 'b', 'a'],
    );
  });

  it('sorts causes before everything else', () => {
    const cause = { ...service('d', 'healthy', 0), causeOf: {} };
    assert.deepEqual(
      sortWorstFirst([service('a', 'degraded'), service('b', 'unknown'), service('c', 'recovering'), cause]).map(
        ({ serviceName }) => serviceName,
      ),
      ['d', 'a', 'c', 'b'],
    );
  });

  it('describes a trend', () => {
    assert.deepEqual(describeTrend(4.9, 2, 'more'), { text: 'same as the previous hour', isWorse: null });
    assert.deepEqual(describeTrend(30.4, 2, 'more'), { text: '30 % above the previous hour', isWorse: true });
    assert.deepEqual(describeTrend(100, 0, 'more'), { text: 'none in the previous hour', isWorse: true });
    assert.deepEqual(describeTrend(820, 2, 'more'), { text: '9.2 times the previous hour', isWorse: true });
    assert.deepEqual(describeTrend(-30, 2, 'more'), { text: '30 % below the previous hour', isWorse: false });
    assert.deepEqual(describeTrend(-30, 2, 'neither'), { text: '30 % below the previous hour', isWorse: null });
  });

  it('rates Apdex scores', () => {
    assert.deepEqual(
      [describeApdex(0.95), describeApdex(0.8), describeApdex(0.5), describeApdex(undefined)].map(
        ({ isWorse }) => isWorse,
      ),
      [false, null, true, null],
    );
  });

  it('describes what is fine', () => {
    assert.deepEqual(
      [describeAllClear(0, 0), describeAllClear(1, 0), describeAllClear(0, undefined), describeAllClear(undefined, 2)],
      [
        'No open alerts and no resources close to their limits.',
        'No resources close to their limits.',
        'No open alerts.',
        '',
      ],
    );
  });
});
