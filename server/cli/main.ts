// The process behind the `insitu` command.
import { processOutput } from './output.ts';
import { runCommandLine } from './program.ts';

// A reader that has seen enough (`insitu top | head -1`) closes the pipe: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

void runCommandLine(process.argv.slice(2), processOutput()).then(status => {
  process.exitCode = status;
});
