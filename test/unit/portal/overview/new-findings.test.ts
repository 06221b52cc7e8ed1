import assert from 'node:assert/strict';
import { describeNewFindings, type Findings } from '../../../../portal/src/pages/overview/new-findings.js';

const cause = (serviceName: string, severity = 'warning') => ({ serviceName, kind: 'errors', severity });
const alert = (id: string, status = 'firing') => ({ id, status });
const pool = (resource: string) => ({ serviceName: 'till', type: 'pool', resource });
const findings = (some: Partial<Findings>): Findings => ({ causes: [], alerts: [], pressed: [], ...some });

describe('news of the overview', () => {
  it('count what has come up, by its kind', () => {
    assert.equal(describeNewFindings(findings({}), findings({ causes: [cause('till')] })), '1 new cause');
    assert.equal(
      describeNewFindings(
        findings({ alerts: [alert('a')] }),
        findings({ causes: [cause('till')], alerts: [alert('a'), alert('b'), alert('c')], pressed: [pool('p')] }),
      ),
      '1 new cause, 2 new alerts, 1 new resource under pressure',
    );
    assert.equal(
      describeNewFindings(findings({}), findings({ pressed: [pool('p'), pool('q')] })),
      '2 new resources under pressure',
    );
  });

  it('are none where what is there was there, in whatever order, or has gone', () => {
    const [first, second] = [cause('till'), cause('cellar', 'critical')];
    assert.equal(
      describeNewFindings(
        findings({ causes: [first, second], alerts: [alert('a')] }),
        findings({ causes: [second, first] }),
      ),
      '',
    );
  });

  it('are no cause that is over, and no alert that is resolved; but those that begin anew', () => {
    assert.equal(
      describeNewFindings(
        findings({}),
        findings({ causes: [cause('till', 'info')], alerts: [alert('a', 'resolved')] }),
      ),
      '',
    );
    assert.equal(
      describeNewFindings(findings({ causes: [cause('till', 'info')] }), findings({ causes: [cause('till')] })),
      '1 new cause',
    );
  });
});
