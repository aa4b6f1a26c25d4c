#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { Command } from 'commander'
import { fatalSentence, handleFatalErrors } from './fatal-errors.ts'

// Keeps compiled sources between runs, which halves the start of a command. The folder belongs to the user, unlike
// Node's default below the temporary directory; Node 20 has no such cache.
const compiled = join(import.meta.dirname, '../node_modules/.cache/compiled')
module.enableCompileCache?.(compiled)
// Threads read the cache too. Without it each strips types by WebAssembly, a race in which can end the process (V8).
process.env.NODE_COMPILE_CACHE ??= compiled

type Commands = Readonly<Record<string, () => Promise<Command>>>

/** Commands by their group in the help. Each is loaded only when it is used, since most need little of the rest. */
const groups: Readonly<Record<string, Commands>> = {
  'Try it': {
    init: async () => (await import('./commands/local/init.ts')).initCommand(),
    doctor: async () => (await import('./commands/local/doctor.ts')).doctorCommand(),
    demo: async () => (await import('./commands/local/demo.ts')).demoCommand(),
    start: async () => (await import('./commands/local/start.ts')).startCommand(),
    sandbox: async () => (await import('./commands/local/sandbox.ts')).sandboxCommand(),
    open: async () => (await import('./commands/local/open.ts')).openCommand(),
    env: async () => (await import('./commands/local/env.ts')).envCommand(),
    token: async () => (await import('./commands/local/token.ts')).tokenCommand(),
    secret: async () => (await import('./commands/deployment/secret.ts')).secretCommand(),
    completions: async () => (await import('./commands/local/completions.ts')).completionsCommand(),
  },
  Shows: {
    validate: async () => (await import('./commands/shows/validate.ts')).validateCommand(),
    cost: async () => (await import('./commands/shows/cost.ts')).costCommand(),
    run: async () => (await import('./commands/shows/run.ts')).runCommand(),
    list: async () => (await import('./commands/shows/list.ts')).listCommand(),
    show: async () => (await import('./commands/shows/show.ts')).showCommand(),
    stop: async () => (await import('./commands/shows/stop.ts')).stopCommand(),
    join: async () => (await import('./commands/controls/join.ts')).joinCommand(),
    extend: async () => (await import('./commands/controls/extend.ts')).extendCommand(),
    layout: async () => (await import('./commands/controls/layout.ts')).layoutCommand(),
    pause: async () => (await import('./commands/controls/pause.ts')).pauseCommand(),
    resume: async () => (await import('./commands/controls/pause.ts')).resumeCommand(),
    mark: async () => (await import('./commands/controls/mark.ts')).markCommand(),
    clip: async () => (await import('./commands/controls/clip.ts')).clipCommand(),
    clips: async () => (await import('./commands/controls/clip.ts')).clipsCommand(),
    mute: async () => (await import('./commands/controls/mute.ts')).muteCommand(),
    say: async () => (await import('./commands/controls/say.ts')).sayCommand(),
    broadcast: async () => (await import('./commands/controls/broadcast.ts')).broadcastCommand(),
    logs: async () => (await import('./commands/shows/logs.ts')).logsCommand(),
    deliveries: async () => (await import('./commands/shows/deliveries.ts')).deliveriesCommand(),
    listen: async () => (await import('./commands/shows/listen.ts')).listenCommand(),
  },
  Recordings: {
    recordings: async () => (await import('./commands/recordings/recordings.ts')).recordingsCommand(),
  },
  Deployments: {
    deploy: async () => (await import('./commands/deployment/deploy.ts')).deployCommand(),
    console: async () => (await import('./commands/deployment/console.ts')).consoleCommand(),
    audit: async () => (await import('./commands/deployment/audit.ts')).auditCommand(),
    rotate: async () => (await import('./commands/deployment/rotate.ts')).rotateCommand(),
    redrive: async () => (await import('./commands/deployment/redrive.ts')).redriveCommand(),
    platform: async () => (await import('./commands/deployment/platform.ts')).platformCommand(),
  },
  'Developing Showrunner': {
    simulate: async () => (await import('./commands/development/simulate.ts')).simulateCommand(),
    mutants: async () => (await import('./commands/development/mutants.ts')).mutantsCommand(),
    check: async () => (await import('./commands/development/check.ts')).checkCommand(),
    synth: async () => (await import('./commands/development/synth.ts')).synthCommand(),
    docs: async () => (await import('./commands/development/docs.ts')).docsCommand(),
    build: async () => (await import('./commands/development/build.ts')).buildCommand(),
    bench: async () => (await import('./commands/development/bench.ts')).benchCommand(),
    soak: async () => (await import('./commands/development/soak.ts')).soakCommand(),
  },
}

/** The package has compiled modules and no sources, so it lacks the commands that work on them. */
const isPackage = import.meta.filename.endsWith('.js')
const needsSources = (group: string, name: string) => name === 'deploy' || group === 'Developing Showrunner'

/** Returns the width of a terminal for the help. Some pseudo-terminals report 0 columns. */
const widthOf = (stream: NodeJS.WriteStream) => () => stream.columns || 80

const { version, repository } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
const program = new Command('showrunner')
  .description('Runs live video events unattended.')
  .version(version, '-V, --version', 'print the version')
  .showHelpAfterError('(--help lists commands and options)')
  .configureOutput({ getOutHelpWidth: widthOf(process.stdout), getErrHelpWidth: widthOf(process.stderr) })

/** Copies the settings of the program to a command and to the commands in it. */
function withSettings(command: Command): Command {
  for (const one of command.commands) withSettings(one)
  return command.copyInheritedSettings(program)
}

/** @throws Error for a command that the package lacks */
function refuseWithoutSources(command: string, asked: string): void {
  if (command === asked)
    throw new Error(
      `${command} needs the sources of Showrunner. Clone ${repository.url.slice('git+'.length)} and run it there.`,
    )
}

handleFatalErrors()
try {
  const [, , name = ''] = process.argv
  const isVersion = name === '-V' || name === '--version'
  const isForAll = name === 'completions' // it describes the others
  const isAsked = (one: string, among: Commands) => one === name || isForAll || !Object.hasOwn(among, name)
  const all: Commands = Object.assign({}, ...Object.values(groups))
  for (const [group, commands] of Object.entries(groups))
    for (const [one, load] of Object.entries(commands))
      if (isPackage && needsSources(group, one)) refuseWithoutSources(one, name)
      else if (isAsked(one, all) && !isVersion) program.addCommand(withSettings(await load()).helpGroup(`${group}:`))
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${fatalSentence(error) ?? (error instanceof Error ? error.message : String(error))}\n`)
  process.exitCode ||= 1
}
