import assert from 'node:assert/strict';
import { describeNewFindings, type Findings } from '../../../../portal/src/pages/overview/new-findings.js';

const cause = (serviceName: string, severity = 'warning') => ({ serviceName, kind: 'errors', severity });
const alert = (id: string, status = 'firing') => ({ id, status });
const pool = (resource: string) => ({ serviceName: 'till', type: 'pool', resource });
const findings = (some: Partial<Findings>): Findings => ({ causes: [], alerts: [], pressurePoints: [], ...some });

describe('new findings of the overview', () => {
  it('are counted by kind', () => {
    assert.equal(describeNewFindings(findings({}), findings({ causes: [cause('till')] })), '1 new cause');
    assert.equal(
      describeNewFindings(
        findings({ alerts: [alert('a')] }),
        findings({
          causes: [cause('till')],
          alerts: [alert('a'), alert('b'), alert('c')],
          pressurePoints: [pool('p')],
        }),
      ),
      '1 new cause, 2 new alerts, 1 new resource under pressure',
    );
    assert.equal(
      describeNewFindings(findings({}), findings({ pressurePoints: [pool('p'), pool('q')] })),
      '2 new resources under pressure',
    );
  });

  it('do not include reordered or removed findings', () => {
    const [first, second] = [cause('till'), cause('cellar', 'critical')];
    assert.equal(
      describeNewFindings(
        findings({ causes: [first, second], alerts: [alert('a')] }),
        findings({ causes: [second, first] }),
      ),
      '',
    );
  });

  it('do not include ended causes or resolved alerts, but those that start again', () => {
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
