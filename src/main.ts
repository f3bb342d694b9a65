import { createProgram } from './cli/program.ts';

// `counterpoise render | head` ends early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

await createProgram().parseAsync(process.argv);
