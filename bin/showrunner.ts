#!/usr/bin/env node
import module from 'node:module'
import { join } from 'node:path'
import { Command } from 'commander'

// Keeps compiled sources between runs, which halves the start of a command. The folder belongs to the user, unlike
// Node's default below the temporary directory; Node 20 has no such cache.
module.enableCompileCache?.(join(import.meta.dirname, '../node_modules/.cache/compiled'))

/** Commands in the order of the help. Each is loaded only when it is used, since most need little of the rest. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./commands/local/demo.ts')).demoCommand(),
  start: async () => (await import('./commands/local/start.ts')).startCommand(),
  validate: async () => (await import('./commands/shows/validate.ts')).validateCommand(),
  run: async () => (await import('./commands/shows/run.ts')).runCommand(),
  deploy: async () => (await import('./commands/deployment/deploy.ts')).deployCommand(),
  list: async () => (await import('./commands/shows/list.ts')).listCommand(),
  show: async () => (await import('./commands/shows/show.ts')).showCommand(),
  stop: async () => (await import('./commands/shows/stop.ts')).stopCommand(),
  audit: async () => (await import('./commands/deployment/audit.ts')).auditCommand(),
  recording: async () => (await import('./commands/shows/recording.ts')).recordingCommand(),
  logs: async () => (await import('./commands/shows/logs.ts')).logsCommand(),
  token: async () => (await import('./commands/local/token.ts')).tokenCommand(),
  secret: async () => (await import('./commands/deployment/secret.ts')).secretCommand(),
  rotate: async () => (await import('./commands/deployment/rotate.ts')).rotateCommand(),
  redrive: async () => (await import('./commands/deployment/redrive.ts')).redriveCommand(),
  sandbox: async () => (await import('./commands/local/sandbox.ts')).sandboxCommand(),
  platform: async () => (await import('./commands/deployment/platform.ts')).platformCommand(),
  simulate: async () => (await import('./commands/development/simulate.ts')).simulateCommand(),
  check: async () => (await import('./commands/development/check.ts')).checkCommand(),
  synth: async () => (await import('./commands/development/synth.ts')).synthCommand(),
  docs: async () => (await import('./commands/development/docs.ts')).docsCommand(),
  build: async () => (await import('./commands/development/build.ts')).buildCommand(),
  bench: async () => (await import('./commands/development/bench.ts')).benchCommand(),
  soak: async () => (await import('./commands/development/soak.ts')).soakCommand(),
}

const program = new Command('showrunner')
  .description('Runs live video events unattended.')
  .showHelpAfterError('(--help lists the commands)')

try {
  const [, , name = ''] = process.argv
  const asked = Object.hasOwn(commands, name) ? [commands[name]] : Object.values(commands)
  for (const load of asked) if (load) program.addCommand(await load())
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode ||= 1
}
