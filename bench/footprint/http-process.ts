import { Subject } from 'rxjs';
import { createApp } from '../../src/http/app.js';
import { LiveStreamHub } from '../../src/http/live/live-stream-hub.js';
import { createApiServer } from '../../src/http/api-server.js';
import type { ChangeHint } from '../../src/streams/live/live-feed.js';
import { FakeAccess, fakeVerifier } from '../../test/support/fake-access.js';
import { fakeAdministration } from '../../test/support/fake-administration.js';
import { FakeAlertRules } from '../../test/support/fake-alert-rules.js';
import { FakeRecordRules } from '../../test/support/fake-record-rules.js';
import { fakeIncidents } from '../../test/support/fake-incidents.js';
import { fakeNotifications } from '../../test/support/fake-notifications.js';
import { FakeAssistant } from '../../test/support/fake-assistant.js';
import { FakeAssistantCommands } from '../../test/support/fake-assistant-commands.js';
import { fakeCharts } from '../../test/support/fake-charts.js';
import { FakeDiagnostics } from '../../test/support/fake-diagnostics.js';
import { FakeTelemetry } from '../../test/support/fake-telemetry.js';
import { FakeUsage } from '../../test/support/fake-usage.js';
import { serveMethods } from './measured-process.js';

/** Overhead of an API call: HTTP, credentials, membership, rate limit, and the JSON response. The results are fixed. */
serveMethods({
  async start() {
    const diagnostics = new FakeDiagnostics();
    const live = new LiveStreamHub({ hints: new Subject<ChangeHint>(), diagnostics });
    const ofAssistant = {
      assistant: new FakeAssistant(),
      assistantCommands: new FakeAssistantCommands(),
      usage: new FakeUsage(),
    };
    const app = createApp({
      publicUrl: 'http://localhost',
      access: new FakeAccess(),
      verifyBearer: fakeVerifier,
      checks: async () => ({}),
      rateLimits: { userPerMinute: 0, gridPerMinute: 0 },
      ports: {
        telemetry: new FakeTelemetry(),
        diagnostics,
        live,
        alertRules: new FakeAlertRules(),
        recordRules: new FakeRecordRules(),
        ...fakeAdministration(),
        ...fakeCharts(),
        ...fakeNotifications(),
        ...fakeIncidents(),
        ...ofAssistant,
      },
      log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
    });
    return createApiServer({ app, bindAddress: '127.0.0.1', port: 0, publicUrl: 'http://localhost' }).listen();
  },
});
