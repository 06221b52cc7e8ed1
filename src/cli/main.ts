import { Command } from 'commander';
import { addDoctor } from './commands/doctor.js';
import { addReplay } from './commands/replay.js';
import { addServe } from './commands/serve.js';
import { addVerify } from './commands/verify.js';

const program = new Command('hindsight').description('Self-hosted, event-sourced observability for OpenTelemetry data').showHelpAfterError();

for (const add of [addServe, addReplay, addVerify, addDoctor]) add(program);

await program.parseAsync();
