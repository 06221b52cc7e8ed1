import { createProgram } from './program.js';

await createProgram(process.argv.includes('--json')).parseAsync();
