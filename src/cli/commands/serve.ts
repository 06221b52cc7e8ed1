import type { Command } from 'commander';

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the service in the foreground, as `npm start` does; settings come from the environment and .env')
    .action(async () => {
      const { serve } = await import('../../main.js');
      await serve();
    });
}
