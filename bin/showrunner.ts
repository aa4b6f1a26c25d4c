#!/usr/bin/env node
import { Command } from 'commander'
import { benchCommand } from './commands/bench.ts'
import { buildCommand } from './commands/build.ts'
import { demoCommand } from './commands/demo.ts'
import { deployCommand } from './commands/deploy.ts'
import { docsCommand } from './commands/docs.ts'
import { listCommand } from './commands/list.ts'
import { logsCommand } from './commands/logs.ts'
import { platformCommand } from './commands/platform.ts'
import { redriveCommand } from './commands/redrive.ts'
import { rotateCommand } from './commands/rotate.ts'
import { runCommand } from './commands/run.ts'
import { sandboxCommand } from './commands/sandbox.ts'
import { secretCommand } from './commands/secret.ts'
import { showCommand } from './commands/show.ts'
import { simulateCommand } from './commands/simulate.ts'
import { startCommand } from './commands/start.ts'
import { stopCommand } from './commands/stop.ts'
import { tokenCommand } from './commands/token.ts'
import { validateCommand } from './commands/validate.ts'

const program = new Command('showrunner')
  .description('Runs live video events unattended.')
  .showHelpAfterError('(--help lists what there is)')
  .addCommand(demoCommand())
  .addCommand(startCommand())
  .addCommand(validateCommand())
  .addCommand(runCommand())
  .addCommand(deployCommand())
  .addCommand(listCommand())
  .addCommand(showCommand())
  .addCommand(stopCommand())
  .addCommand(logsCommand())
  .addCommand(tokenCommand())
  .addCommand(secretCommand())
  .addCommand(rotateCommand())
  .addCommand(redriveCommand())
  .addCommand(sandboxCommand())
  .addCommand(platformCommand())
  .addCommand(simulateCommand())
  .addCommand(docsCommand())
  .addCommand(buildCommand())
  .addCommand(benchCommand())

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode ||= 1
}
