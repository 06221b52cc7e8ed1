import type { Command } from 'commander';
import { withExamples } from '../command-definition.js';

export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description('run the service in the foreground, as `npm start` does; settings come from the environment and .env')
    .action(async () => {
      const { runServiceProcess } = await import('../../runtime/service-process.js');
      await runServiceProcess();
    });
  withExamples(command, 'hindsight serve', 'HTTP_PORT=9090 DATA_DIR=/var/lib/hindsight hindsight serve');
}
