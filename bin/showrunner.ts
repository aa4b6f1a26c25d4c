#!/usr/bin/env node
import { Command } from 'commander'
import { demoCommand } from './commands/demo.ts'
import { sandboxCommand } from './commands/sandbox.ts'

const program = new Command('showrunner')
  .description('Runs live video events unattended.')
  .showHelpAfterError('(--help lists what there is)')
  .addCommand(demoCommand())
  .addCommand(sandboxCommand())

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode ||= 1
}
