import { Command } from 'commander'
import { checkSteps } from '../../checks/checks.ts'
import { reportSteps } from '../../checks/report-steps.ts'

export const checkCommand = () =>
  new Command('check')
    .description('check format, types, the laws of the project and the synthesized stack; stop at the first failure')
    .option(
      '--json',
      'print only { passed, steps: [{ title, passed, seconds, output? }] }, as JSON, to standard output',
    )
    .action((options: { json?: boolean }) => reportSteps(checkSteps(), options))
