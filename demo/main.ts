import { parseDemoArguments, USAGE, type DemoArguments } from './demo-arguments.js';
import { checkFaultDetection } from './fault-detection-check.js';
import { createExternalService, startService } from './hindsight-service.js';
import { FAULTS } from './faults.js';
import { runFaultSchedule, logLine } from './fault-schedule.js';
import { Shop } from './shop/shop.js';

/**
 * Entry point of `npm run demo`: starts the service, unless one is given, and the shop. Runs until Ctrl-C; resolves to
 * the exit code of the service.
 */
async function main(): Promise<number> {
  const options = parseDemoArguments(process.argv.slice(2));
  if (options.help || options.list) {
    console.log(options.help ? USAGE : FAULTS.map(({ name, story }) => `${name.padEnd(16)} ${story}`).join('\n'));
    return 0;
  }
  return runDemo(options);
}

async function runDemo(options: DemoArguments): Promise<number> {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => abort.abort());
  const service = options.elsewhere === undefined ? await startService() : createExternalService(options.elsewhere);
  void service.ended.then(() => abort.abort());
  if (service.portalLink !== undefined) logLine(`Portal, signed in as Owner: ${service.portalLink}`);
  const shop = new Shop(service, options.seed);
  const running = shop.run();
  try {
    const succeeded = options.check
      ? await checkFaultDetection(shop, service, options, abort.signal)
      : await runFaultSchedule(shop, service, options, abort.signal).then(() => true);
    logLine('closing');
    await shop.close();
    await running;
    const code = await service.stop();
    return succeeded ? code : 1;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

try {
  process.exit(await main());
} catch (error) {
  console.error(`demo: ${(error as Error).message}`);
  process.exit(1);
}
