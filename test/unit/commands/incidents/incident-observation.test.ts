import assert from 'node:assert/strict';
import { alert, cause, ended, Incidents, MINUTE, SECOND, T0 } from './given-incidents.js';

const PAYMENT = cause('payment', { affectedServices: ['checkout', 'web'] });

describe('incidents from alerts and diagnoses', () => {
  let incidents: Incidents;
  beforeEach(() => {
    incidents = new Incidents();
  });

  it('has one for a cause, to which alerts of the root-cause service and of affected services belong', () => {
    assert.deepEqual(incidents.observe(T0, { causes: [PAYMENT] }), ['IncidentOpened']);
    incidents.observe(T0 + SECOND, { causes: [PAYMENT], fired: [alert('checkout'), alert('payment'), alert('web')] });
    assert.deepEqual(incidents.summary, ['payment fails: open, checkout-errors, payment-errors, web-errors']);
  });

  it('opens none for a cause that is not confirmed, or less severe and without an alert', () => {
    assert.deepEqual(incidents.observe(T0, { causes: [cause('payment', { isConfirmed: false })] }), []);
    assert.deepEqual(incidents.observe(T0, { causes: [cause('payment', { severity: 'warning' })] }), []);
    const causes = [cause('payment', { severity: 'warning' })];
    assert.deepEqual(incidents.observe(T0, { causes, fired: [alert('payment')] }), [
      'IncidentOpened',
      'IncidentAlertAdded',
    ]);
    assert.deepEqual(incidents.summary, ['payment fails: open, payment-errors']);
  });

  it('opens one for alerts of a service without a known cause, which gets the cause when it is known', () => {
    incidents.observe(T0, { fired: [alert('checkout')] });
    incidents.observe(T0 + SECOND, { fired: [alert('checkout', { alertId: 'slow', ruleId: 'latency' })] });
    assert.deepEqual(incidents.summary, ['checkout: Error rate above 5 %: open, checkout-errors, slow']);
    assert.deepEqual(incidents.observe(T0 + MINUTE, { causes: [PAYMENT] }), ['IncidentCauseChanged']);
    assert.deepEqual(incidents.summary, ['payment fails: open, checkout-errors, slow']);
  });

  it('joins those of symptoms when the cause is known, the root-cause service’s own first, but not after a quarter of an hour', () => {
    incidents.observe(T0, { fired: [alert('web'), alert('payment')] });
    assert.equal(incidents.summary.length, 2);
    assert.deepEqual(incidents.observe(T0 + 15 * MINUTE, { causes: [PAYMENT] }), [
      'IncidentCauseChanged',
      'IncidentAlertAdded',
      'IncidentsMerged',
    ]);
    assert.deepEqual(incidents.summary, ['payment fails: open, payment-errors, web-errors']);

    const late = new Incidents();
    late.observe(T0, { fired: [alert('web')] });
    late.observe(T0 + 15 * MINUTE + 1, { causes: [PAYMENT] });
    assert.deepEqual(late.summary, ['web: Error rate above 5 %: open, web-errors', 'payment fails: open']);
  });

  it('does not join what fired before the cause began', () => {
    incidents.observe(T0, { fired: [alert('web')] });
    incidents.observe(T0 + 5 * MINUTE, {
      causes: [cause('payment', { affectedServices: ['web'], firstDetected: T0 + 3 * MINUTE })],
    });
    assert.equal(incidents.summary.length, 2);
  });

  it('has two for two faults at the same time, each with its own alerts', () => {
    const cart = cause('cart', { firstDetected: T0 + MINUTE });
    incidents.observe(T0, { causes: [PAYMENT], fired: [alert('payment')] });
    incidents.observe(T0 + 2 * MINUTE, { causes: [PAYMENT, cart], fired: [alert('cart'), alert('checkout')] });
    assert.deepEqual(incidents.summary, [
      'payment fails: open, payment-errors, checkout-errors',
      'cart fails: open, cart-errors',
    ]);
  });

  it('changes the cause of the same incident when the diagnosis corrects itself', () => {
    incidents.observe(T0, { causes: [cause('checkout')] });
    assert.deepEqual(
      incidents.observe(T0 + MINUTE, { causes: [cause('payment', { affectedServices: ['checkout'] })] }),
      ['IncidentCauseChanged'],
    );
    assert.deepEqual(incidents.summary, ['payment fails: open']);
  });

  it('records changes of the same cause only if they matter, and at most once a minute', () => {
    incidents.observe(T0, { causes: [PAYMENT] });
    const more = { ...PAYMENT, confidence: 0.99, evidence: ['other figures'] };
    assert.deepEqual(incidents.observe(T0 + 2 * MINUTE, { causes: [more] }), []);
    const wider = { ...PAYMENT, affectedServices: [...PAYMENT.affectedServices, 'cart'] };
    assert.deepEqual(incidents.observe(T0 + MINUTE - 1, { causes: [wider] }), []);
    assert.deepEqual(incidents.observe(T0 + MINUTE, { causes: [wider] }), ['IncidentCauseChanged']);
    // The diagnosis names one root-cause service twice, of different kinds: the better one counts.
    const both = [wider, { ...wider, kind: 'latency' }];
    assert.deepEqual(incidents.observe(T0 + 3 * MINUTE, { causes: both }), []);
  });

  it('recovers with its cause, and is resolved two minutes later, when its alerts have ended', () => {
    incidents.observe(T0, { causes: [PAYMENT], fired: [alert('payment')] });
    const over = { causes: [{ ...PAYMENT, isOver: true }] };
    assert.deepEqual(incidents.observe(T0 + MINUTE, over), ['IncidentRecovering']);
    assert.deepEqual(incidents.observe(T0 + 4 * MINUTE, over), []);
    assert.deepEqual(incidents.observe(T0 + 5 * MINUTE, { ...over, changes: [ended('payment-errors')] }), [
      'IncidentAlertChanged',
      'IncidentResolved',
    ]);
  });

  it('does not recover while it is not known what the diagnosis says', () => {
    incidents.observe(T0, { causes: [PAYMENT] });
    const unknown = { type: 'Observe', gridId: 'grid', at: T0 + MINUTE, alerts: [], causes: undefined } as const;
    assert.deepEqual(incidents.decide(unknown), []);
    // A cause that is seen again after a restart, and not confirmed yet, is there.
    assert.deepEqual(incidents.observe(T0 + MINUTE, { causes: [{ ...PAYMENT, isConfirmed: false }] }), []);
  });

  it('is open again when its cause returns while it recovers, and reopened within an hour after its end', () => {
    incidents.observe(T0, { causes: [PAYMENT] });
    incidents.observe(T0 + MINUTE, {});
    assert.deepEqual(incidents.observe(T0 + 2 * MINUTE, { causes: [PAYMENT] }), ['IncidentReopened']);
    incidents.observe(T0 + 3 * MINUTE, {});
    incidents.observe(T0 + 5 * MINUTE, {});
    assert.deepEqual(incidents.summary, ['payment fails: resolved']);
    const back = { ...PAYMENT, firstDetected: T0 + 60 * MINUTE };
    assert.deepEqual(incidents.observe(T0 + 65 * MINUTE - 1, { causes: [back] }), [
      'IncidentReopened',
      'IncidentCauseChanged',
    ]);
    assert.equal(incidents.summary.length, 1);
  });

  it('opens another one after an hour, and for another kind of fault of the same service', () => {
    incidents.observe(T0, { causes: [PAYMENT] });
    incidents.observe(T0 + MINUTE, {});
    const slow = cause('payment', { kind: 'latency', cause: 'payment is slow', firstDetected: T0 + 2 * MINUTE });
    assert.deepEqual(incidents.observe(T0 + 3 * MINUTE, { causes: [slow] }), ['IncidentOpened', 'IncidentResolved']);
    assert.deepEqual(incidents.observe(T0 + 63 * MINUTE, { causes: [slow] }), []);
    incidents.observe(T0 + 64 * MINUTE, {});
    incidents.observe(T0 + 66 * MINUTE, {});
    assert.deepEqual(incidents.observe(T0 + 66 * MINUTE, { causes: [PAYMENT] }), ['IncidentOpened']);
  });

  it('is open again when its cause returns under the name that it had first, while it recovers and after its end', () => {
    const slow = cause('payment', { kind: 'latency', cause: 'payment is slow', firstDetected: T0 });
    const full = { ...slow, kind: 'saturation', cause: 'payment is out of connections' };
    incidents.observe(T0, { causes: [slow] });
    incidents.observe(T0 + MINUTE, { causes: [full] });
    incidents.observe(T0 + 2 * MINUTE, {});
    const back = { ...slow, firstDetected: T0 + 3 * MINUTE };
    assert.deepEqual(incidents.observe(T0 + 3 * MINUTE, { causes: [back] }), [
      'IncidentReopened',
      'IncidentCauseChanged',
    ]);
    incidents.observe(T0 + 4 * MINUTE, { causes: [{ ...full, firstDetected: T0 + 3 * MINUTE }] });
    incidents.observe(T0 + 5 * MINUTE, {});
    incidents.observe(T0 + 7 * MINUTE, {});
    assert.deepEqual(incidents.summary, ['payment is out of connections: resolved']);
    const again = { ...slow, firstDetected: T0 + 9 * MINUTE };
    assert.deepEqual(incidents.observe(T0 + 9 * MINUTE, { causes: [again] }), [
      'IncidentReopened',
      'IncidentCauseChanged',
    ]);
    // Noise of that name opens nothing again, and a kind of fault that it never had is another incident.
    incidents.observe(T0 + 10 * MINUTE, { causes: [{ ...full, firstDetected: T0 + 9 * MINUTE }] });
    incidents.observe(T0 + 11 * MINUTE, {});
    incidents.observe(T0 + 13 * MINUTE, {});
    const noise = { ...slow, severity: 'warning', firstDetected: T0 + 14 * MINUTE };
    assert.deepEqual(incidents.observe(T0 + 14 * MINUTE, { causes: [noise] }), []);
    const failing = { ...PAYMENT, firstDetected: T0 + 15 * MINUTE };
    assert.deepEqual(incidents.observe(T0 + 15 * MINUTE, { causes: [failing] }), ['IncidentOpened']);
  });

  it('is reopened when its cause returns under the name of the service that was blamed first', () => {
    const blamed = cause('checkout', { firstDetected: T0, affectedServices: ['frontend'] });
    const real = { ...PAYMENT, firstDetected: T0, affectedServices: ['checkout', 'frontend'] };
    incidents.observe(T0, { causes: [blamed] });
    assert.deepEqual(incidents.observe(T0 + MINUTE, { causes: [real] }), ['IncidentCauseChanged']);
    incidents.observe(T0 + 2 * MINUTE, {});
    incidents.observe(T0 + 4 * MINUTE, {});
    const again = { ...blamed, firstDetected: T0 + 9 * MINUTE };
    assert.deepEqual(incidents.observe(T0 + 9 * MINUTE, { causes: [again] }), [
      'IncidentReopened',
      'IncidentCauseChanged',
    ]);
    // Another service that was never blamed, even of the same kind, is another incident.
    const other = cause('search', { firstDetected: T0 + 9 * MINUTE });
    assert.deepEqual(incidents.observe(T0 + 10 * MINUTE, { causes: [again, other] }), ['IncidentOpened']);
  });

  it('moves alerts that another cause keeps alive, so that the first incident ends', () => {
    incidents.observe(T0, { causes: [PAYMENT], fired: [alert('checkout')] });
    const cart = cause('cart', { affectedServices: ['checkout'], firstDetected: T0 + 3 * MINUTE });
    assert.deepEqual(incidents.observe(T0 + 4 * MINUTE, { causes: [cart] }), ['IncidentOpened', 'IncidentRecovering']);
    assert.deepEqual(incidents.observe(T0 + 6 * MINUTE, { causes: [cart] }), [
      'IncidentAlertAdded',
      'IncidentResolved',
    ]);
    assert.deepEqual(incidents.summary, ['payment fails: resolved', 'cart fails: open, checkout-errors']);
  });

  it('gives a late alert a minute to be the next fault before it joins what recovers', () => {
    incidents.observe(T0, { causes: [PAYMENT] });
    const over = { causes: [{ ...PAYMENT, isOver: true }] };
    incidents.observe(T0 + MINUTE, over);
    incidents.observe(T0 + MINUTE + SECOND, { ...over, fired: [alert('web', { firedAt: T0 + MINUTE })] });
    assert.equal(incidents.summary.length, 2);
    incidents.observe(T0 + 2 * MINUTE + SECOND, over);
    assert.deepEqual(incidents.summary, ['payment fails: recovering, web-errors']);
  });

  it('ends one without a cause with its last alert, and reopens it for the same alert within an hour', () => {
    incidents.observe(T0, { fired: [alert('web')] });
    assert.deepEqual(incidents.observe(T0 + MINUTE, { changes: [ended('web-errors')] }), [
      'IncidentAlertChanged',
      'IncidentRecovering',
    ]);
    assert.deepEqual(incidents.observe(T0 + 3 * MINUTE, {}), ['IncidentResolved']);
    assert.deepEqual(incidents.observe(T0 + 60 * MINUTE, { fired: [alert('web', { alertId: 'second' })] }), [
      'IncidentReopened',
      'IncidentAlertAdded',
    ]);
  });

  it('ignores what it has seen: repeated alerts, and those that another process has added', () => {
    const command = {
      type: 'Observe',
      gridId: 'grid',
      at: T0,
      alerts: [{ revision: 4, change: 'fired', alert: alert('web') }],
      causes: [],
    } as const;
    assert.deepEqual(incidents.decide(command), ['IncidentOpened', 'IncidentAlertAdded']);
    assert.deepEqual(incidents.decide({ ...command, at: T0 + SECOND }), []);
  });

  it('has one for the alerts of a rule that concern no service, titled with the rule', () => {
    const ofRule = (ruleId: string, customer: string) =>
      alert('', { alertId: `${ruleId}-${customer}`, ruleId, ruleName: ruleId, labels: { customer } });
    incidents.observe(T0, { fired: [ofRule('Logins', 'a'), ofRule('Payouts', 'a'), ofRule('Logins', 'b')] });
    assert.deepEqual(incidents.summary, [
      'Logins: Error rate above 5 %: open, Logins-a, Logins-b',
      'Payouts: Error rate above 5 %: open, Payouts-a',
    ]);
    const split = { type: 'Split', newId: 'new', alertIds: ['Logins-b'] } as const;
    incidents.act({ ...split, incidentId: incidents.id('Logins: Error rate above 5 %') });
    assert.equal(incidents.summary.at(-1), 'Logins: Error rate above 5 %: open, Logins-b');
  });

  it('leaves earlier states as they were', () => {
    incidents.observe(T0, { causes: [PAYMENT], fired: [alert('payment'), alert('web')] });
    const before = incidents.state;
    const copy = structuredClone(before);
    const more = [alert('payment', { alertId: 'slow' }), alert('checkout')];
    incidents.observe(T0 + SECOND, { causes: [PAYMENT], fired: more, changes: [ended('web-errors')] });
    assert.deepEqual(before, copy);
    assert.deepEqual(incidents.summary, ['payment fails: open, payment-errors, slow, checkout-errors']);
  });

  it('is acknowledged by whoever acknowledges the last of its alerts', () => {
    incidents.observe(T0, { causes: [PAYMENT], fired: [alert('payment'), alert('web')] });
    const by = (alertId: string, who: string) => ({ change: 'acknowledged', alertId, by: who }) as const;
    assert.deepEqual(incidents.observe(T0, { causes: [PAYMENT], changes: [by('payment-errors', 'ann')] }), [
      'IncidentAlertChanged',
    ]);
    assert.deepEqual(incidents.observe(T0, { causes: [PAYMENT], changes: [by('web-errors', 'bob')] }), [
      'IncidentAlertChanged',
      'IncidentAcknowledged',
    ]);
    assert.equal(incidents.state.incidents.get(incidents.id('payment fails'))?.acknowledgedBy, 'bob');
  });
});
