// The process behind the `insitu` command.
import { endWithReader } from '../base/terminal.ts';
import { runProcess } from './command-line.ts';
import { runCommandLine } from './program.ts';

endWithReader();
runProcess(runCommandLine);
