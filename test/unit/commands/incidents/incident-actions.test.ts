import assert from 'node:assert/strict';
import { incidentDecider, INCIDENT_BOUNDS } from '../../../../src/commands/incidents/incident-decider.js';
import { RESOLVED_KEPT } from '../../../../src/commands/incidents/incident-state.js';
import { alert, cause, Incidents, MINUTE, T0 } from './given-incidents.js';

const PAYMENT = cause('payment');

describe('what people do with incidents', () => {
  let incidents: Incidents;
  let incidentId: string;
  beforeEach(() => {
    incidents = new Incidents();
    incidents.observe(T0, { causes: [PAYMENT], fired: [alert('payment'), alert('payment', { alertId: 'slow' })] });
    incidentId = incidents.id('payment fails');
  });

  it('acknowledge once, and not what is resolved', () => {
    assert.deepEqual(incidents.act({ type: 'Acknowledge', incidentId }), ['IncidentAcknowledged']);
    assert.deepEqual(incidents.act({ type: 'Acknowledge', incidentId }), []);
    incidents.act({ type: 'Resolve', incidentId, note: '' });
    assert.deepEqual(incidents.act({ type: 'Acknowledge', incidentId }), ['conflict']);
  });

  it('resolve, whatever still fires, until the cause has been away and comes back', () => {
    assert.deepEqual(incidents.act({ type: 'Resolve', incidentId, note: 'Rolled back' }, T0 + MINUTE), [
      'IncidentClosed',
    ]);
    assert.deepEqual(incidents.act({ type: 'Resolve', incidentId, note: '' }, T0 + MINUTE), []);
    assert.deepEqual(incidents.observe(T0 + 2 * MINUTE, { causes: [PAYMENT] }), []);
    assert.deepEqual(incidents.observe(T0 + 9 * MINUTE, { causes: [{ ...PAYMENT, firstDetected: T0 + 8 * MINUTE }] }), [
      'IncidentReopened',
      'IncidentCauseChanged',
    ]);
    assert.equal(incidents.state.incidents.get(incidentId)?.acknowledgedBy, undefined);
  });

  it('resolve: neither another name for the same fault nor its hour after opens it again', () => {
    incidents.act({ type: 'Resolve', incidentId, note: 'Known' }, T0 + MINUTE);
    const slow = { ...PAYMENT, kind: 'latency', cause: 'payment is slow' };
    assert.deepEqual(incidents.observe(T0 + 2 * MINUTE, { causes: [slow] }), []);
    assert.deepEqual(incidents.observe(T0 + 62 * MINUTE, { causes: [PAYMENT] }), []);
    incidents.observe(T0 + 63 * MINUTE, { causes: [PAYMENT], fired: [alert('payment', { alertId: 'later' })] });
    assert.deepEqual(incidents.summary, [
      'payment fails: resolved, payment-errors, slow',
      'payment fails: open, later',
    ]);
  });

  it('resolve: the name that the fault had first does not open it again either', () => {
    const blamed = cause('checkout', { firstDetected: T0, affectedServices: ['frontend'] });
    const real = cause('cart', { firstDetected: T0, affectedServices: ['checkout', 'frontend'] });
    incidents = new Incidents();
    incidents.observe(T0, { causes: [blamed] });
    incidents.observe(T0 + MINUTE, { causes: [real] });
    incidents.act({ type: 'Resolve', incidentId: incidents.id(real.cause), note: 'Known' }, T0 + 2 * MINUTE);
    assert.deepEqual(incidents.observe(T0 + 3 * MINUTE, { causes: [blamed] }), []);
  });

  it('assign a commander, and nobody any more', () => {
    const assign = (commander: string) => incidents.act({ type: 'AssignCommander', incidentId, commander });
    assert.deepEqual(assign(''), []);
    assert.deepEqual(assign('ann'), ['IncidentCommanderAssigned']);
    assert.deepEqual(assign('ann'), []);
    assert.deepEqual(assign(''), ['IncidentCommanderAssigned']);
    assert.deepEqual(assign('  '), ['invalid-request', 'userId']);
    assert.deepEqual(assign('x'.repeat(INCIDENT_BOUNDS.userIdLength + 1)), ['invalid-request', 'userId']);
  });

  it('note, also when it is resolved, up to the limit', () => {
    incidents.act({ type: 'Resolve', incidentId, note: '' });
    const note = (text: string) => incidents.act({ type: 'Note', incidentId, noteId: 'n', text });
    assert.deepEqual(note(' '), ['invalid-request', 'text']);
    assert.deepEqual(note('x'.repeat(INCIDENT_BOUNDS.noteLength + 1)), ['invalid-request', 'text']);
    for (let i = 0; i < INCIDENT_BOUNDS.notesOfAnIncident; i++) assert.deepEqual(note('Restarted'), ['IncidentNoted']);
    assert.deepEqual(note('One too many'), ['conflict']);
  });

  it('merge: the alerts move, and the other incident is part of this one', () => {
    incidents.observe(T0, { causes: [PAYMENT], fired: [alert('web')] });
    const mergedId = incidents.id('web: Error rate above 5 %');
    assert.deepEqual(incidents.act({ type: 'Merge', incidentId, mergedId }), ['IncidentAlertAdded', 'IncidentsMerged']);
    assert.deepEqual(incidents.summary, ['payment fails: open, payment-errors, slow, web-errors']);
    assert.deepEqual(incidents.act({ type: 'Merge', incidentId, mergedId }), ['invalid-request', 'incidentId']);
    assert.deepEqual(incidents.act({ type: 'Merge', incidentId, mergedId: incidentId }), [
      'invalid-request',
      'incidentId',
    ]);
  });

  it('split: these alerts are an incident of their own, which the service does not join again', () => {
    const split = (...alertIds: string[]) => incidents.act({ type: 'Split', incidentId, newId: 'new', alertIds });
    assert.deepEqual(split(), ['invalid-request', 'alertIds']);
    assert.deepEqual(split('slow', 'unknown'), ['invalid-request', 'alertIds']);
    assert.deepEqual(split('slow', 'slow'), ['IncidentSplit', 'IncidentAlertAdded']);
    assert.deepEqual(incidents.observe(T0 + MINUTE, { causes: [PAYMENT] }), []);
    assert.deepEqual(incidents.summary, [
      'payment fails: open, payment-errors',
      'payment: Error rate above 5 %: open, slow',
    ]);
  });

  it('are refused for what is unknown', () => {
    assert.deepEqual(incidents.act({ type: 'Acknowledge', incidentId: 'unknown' }), ['not-found']);
  });

  it('forgets what was resolved longest ago', () => {
    const many = new Incidents();
    for (let i = 0; i <= RESOLVED_KEPT; i++) {
      many.observe(T0 + i, { fired: [alert(`service-${i}`)] });
      many.act({ type: 'Resolve', incidentId: many.id(`service-${i}: Error rate above 5 %`), note: '' }, T0 + i);
    }
    assert.equal(many.state.incidents.size, RESOLVED_KEPT);
    assert.equal(many.state.byAlert.has('service-0-errors'), false);
    assert.equal(many.state.byAlert.has('service-1-errors'), true);
  });

  it('come to the same state from all events at once', () => {
    incidents.act({ type: 'Split', incidentId, newId: 'new', alertIds: ['slow'] });
    incidents.act({ type: 'Merge', incidentId, mergedId: 'new' });
    const again = incidents.events.reduce(incidentDecider.evolve, incidentDecider.initialState);
    assert.deepEqual(again, incidents.state);
  });
});
