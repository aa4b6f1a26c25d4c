import { Command } from 'commander'
import { checkMachine } from '../../doctor/check-machine.ts'
import { readMachine } from '../../doctor/read-machine.ts'
import { defaultPorts } from '../../local/preferred-port.ts'
import { workFolder } from '../../local/root.ts'
import { checkLines, isReady } from '../../operations/deploy/check.ts'
import { printResult } from '../../print.ts'

export const doctorCommand = () =>
  new Command('doctor')
    .description('check this machine: Node, ffmpeg, ports, disk, memory, Chromium, AWS credentials')
    .option('--json', 'print only { ready, checks } as JSON; a state is ok, missing or later')
    .addHelpText('after', '\nIt exits with 1 if something is missing (✗). What is marked → can be done later.')
    .action(runDoctor)

async function runDoctor({ json = false }: { json?: boolean }): Promise<void> {
  const checks = checkMachine(
    await readMachine({
      environment: process.env,
      folder: workFolder,
      ports: {
        API: defaultPorts.api,
        sandbox: defaultPorts.sandbox,
        console: defaultPorts.console,
        'join page': defaultPorts.join,
      },
    }),
  )
  const ready = isReady(checks)
  const verdict = ready
    ? 'This machine is ready: npx showrunner demo'
    : 'This machine is not ready. Do what is marked ✗ and run it again.'
  printResult(json, { ready, checks }, [...checkLines(checks), '', verdict])
  if (!ready) process.exitCode = 1
}
