import { Command } from 'commander'
import { synthSteps } from '../../checks/checks.ts'
import { reportSteps } from '../../checks/report-steps.ts'

export const synthCommand = () =>
  new Command('synth')
    .description('synthesize the stack with the settings of cdk.json into cdk.out, and with those of each example')
    .option(
      '--json',
      'print only { passed, steps: [{ title, passed, seconds, output? }] }, as JSON, to standard output',
    )
    .action((options: { json?: boolean }) => reportSteps(synthSteps(), options))
