import { runCommandLine } from './run-command-line';

const terminal = {
  print: (line: string) => console.log(line),
  printError: (line: string) => console.error(line),
};

void runCommandLine(process.argv.slice(2), process.env, terminal).then((exitCode) => {
  process.exitCode = exitCode;
});
