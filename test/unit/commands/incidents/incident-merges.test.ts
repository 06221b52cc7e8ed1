import assert from 'node:assert/strict';
import { incidentDecider } from '../../../../src/commands/incidents/incident-decider.js';
import { alert, cause, Incidents, MINUTE, SECOND, T0 } from './given-incidents.js';

const PAYMENT = cause('payment');
const CART = cause('cart');

describe('incidents that a person has merged', () => {
  let incidents: Incidents;
  const merge = (into: string, merged: string, at = T0 + MINUTE) =>
    incidents.act({ type: 'Merge', incidentId: incidents.id(into), mergedId: incidents.id(merged) }, at);
  beforeEach(() => {
    incidents = new Incidents();
    incidents.observe(T0, { causes: [PAYMENT, CART], fired: [alert('payment'), alert('cart')] });
    merge('payment fails', 'cart fails');
  });

  it('stay one while both causes last', () => {
    assert.deepEqual(incidents.observe(T0 + 2 * MINUTE, { causes: [PAYMENT, CART] }), []);
    const late = alert('cart', { alertId: 'cart-slow', ruleId: 'latency' });
    incidents.observe(T0 + 3 * MINUTE, { causes: [CART, PAYMENT], fired: [late] });
    assert.deepEqual(incidents.summary, ['payment fails: open, payment-errors, cart-errors, cart-slow']);
  });

  it('last as long as one of the causes does, and come back with either', () => {
    assert.deepEqual(incidents.observe(T0 + 2 * MINUTE, { causes: [CART] }), []);
    incidents.act({ type: 'Resolve', incidentId: incidents.id('payment fails'), note: '' }, T0 + 3 * MINUTE);
    assert.deepEqual(incidents.observe(T0 + 4 * MINUTE, { causes: [CART, PAYMENT] }), []);
    const back = { ...CART, firstDetected: T0 + 8 * MINUTE };
    assert.deepEqual(incidents.observe(T0 + 9 * MINUTE, { causes: [back] }), [
      'IncidentReopened',
      'IncidentCauseChanged',
    ]);
    assert.equal(incidents.state.incidents.size, 1);
  });

  it('give their cause to one without', () => {
    const web = new Incidents();
    web.observe(T0, { causes: [PAYMENT], fired: [alert('web')] });
    const [incidentId, mergedId] = [web.id('web: Error rate above 5 %'), web.id('payment fails')];
    web.act({ type: 'Merge', incidentId, mergedId });
    assert.deepEqual(web.observe(T0 + SECOND, { causes: [PAYMENT] }), []);
    assert.deepEqual(web.summary, ['payment fails: open, web-errors']);
  });

  it('open what was resolved, if one of them lasts', () => {
    incidents.act({ type: 'Resolve', incidentId: incidents.id('payment fails'), note: '' }, T0 + 2 * MINUTE);
    incidents.observe(T0 + 3 * MINUTE, { fired: [alert('web')] });
    merge('payment fails', 'web: Error rate above 5 %', T0 + 4 * MINUTE);
    assert.deepEqual(incidents.summary, ['payment fails: open, payment-errors, cart-errors, web-errors']);
  });

  it('come to the same state from all events at once', () => {
    const again = incidents.events.reduce(incidentDecider.evolve, incidentDecider.initialState);
    assert.deepEqual(again, incidents.state);
  });
});
