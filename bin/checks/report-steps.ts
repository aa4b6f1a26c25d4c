import { interruptible } from '../local/interruption.ts'
import { runSteps, type Step } from './run-steps.ts'

/**
 * Runs steps, prints the output of the first that fails, and sets the exit code to 1 for it. Ctrl-C stops the running step.
 * @param json print `{ passed, steps }` to standard output, and the progress to standard error
 */
export const reportSteps = (steps: readonly Step[], { json = false }): Promise<void> =>
  interruptible(async (signal) => {
    const stream = json ? process.stderr : process.stdout
    const reports = await runSteps(steps, { stream, signal })
    const failed = reports.find(({ passed }) => !passed)
    if (json) process.stdout.write(`${JSON.stringify({ passed: !failed, steps: reports }, null, 2)}\n`)
    else if (failed) stream.write(`\n${failed.output}`)
    if (failed) process.exitCode = 1
  })
