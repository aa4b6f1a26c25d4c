import { Command, InvalidArgumentError } from 'commander'
import { parseShow, type Show } from '../../lib/workflow/show.ts'
import type { Assembly } from '../../local/cloud/assembly.ts'
import { type Simulation, SimulationError, simulate } from '../../local/simulation/simulate.ts'
import { synthesize } from '../laptop/assembly.ts'
import { interruptible } from '../laptop/interruption.ts'
import { readShowFile } from '../laptop/show-file.ts'

interface Options {
  readonly show: string
  readonly seed: number
  readonly json?: boolean
  readonly trace?: boolean
}

export const simulateCommand = () =>
  new Command('simulate')
    .description(
      'run a whole show in this process, without media and without waiting; a seed decides the order of everything',
    )
    .requiredOption('--show <file>', 'the show document, JSON')
    .option('--seed <number>', 'the same seed gives the same trace', parseSeed, 1)
    .option('--trace', 'print every decision and what came of it, one line each; --json always does')
    .option('--json', 'print the result as one JSON object, and nothing else, to standard output')
    .action(runSimulation)

async function runSimulation({ show: file, seed, json = false, trace = false }: Options): Promise<void> {
  const show = await readShow(file)
  let assembly: Assembly | undefined
  await interruptible(async (signal) => {
    assembly = await synthesize(signal)
  })
  if (!assembly) return
  try {
    const simulation = await simulate({ assembly, show, seed })
    process.stdout.write(json ? toJson(simulation) : summarize(simulation, trace))
    if (simulation.status !== 'succeeded') process.exitCode = 1
  } catch (error) {
    if (trace && error instanceof SimulationError) process.stderr.write(toText(error.trace))
    throw error
  }
}

/** @throws Error in one sentence when it is no file, no JSON or no show */
async function readShow(file: string): Promise<Show> {
  const parsed = parseShow(await readShowFile(file))
  if ('show' in parsed) return parsed.show
  const problems = parsed.problems.map(({ path, message }) => `${path || 'the document'} ${message}`)
  throw new Error(`The show ${file} is not valid: ${problems.join('; ')}.`)
}

function parseSeed(text: string): number {
  const seed = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed))
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`)
  return seed
}

const toText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** Without the seconds of this machine: one seed gives one text, byte for byte. */
function toJson({ seconds: _, ...simulation }: Simulation): string {
  return `${JSON.stringify(simulation, null, 2)}\n`
}

/** The simulation as a person reads it. */
function summarize(simulation: Simulation, withTrace: boolean): string {
  const { seed, status, result, leftOut, virtualSeconds, seconds, trace, traceSha256 } = simulation
  const { calls, transitions, historyEvents } = simulation
  const lines = [
    ...(withTrace ? [...trace, ''] : []),
    `The show ${status}. ${result?.reason ?? 'It left no result.'}`,
    ...(result?.recordings ?? []).map(
      ({ name, status, size, lost }) => `  ${name.padEnd(10)} ${lost ?? `${status}, ${size} bytes in the bucket`}`,
    ),
    ...(result?.broadcasts ?? []).map(({ name, status }) => `  ${name.padEnd(10)} ${status ?? 'was not on air'}`),
    ...Object.entries(leftOut).map(([name, reason]) => `  ${name} was left out: ${reason}.`),
    `${virtualSeconds} s of its time in ${seconds.toFixed(2)} s: ${calls} calls, ${transitions} state transitions, ${historyEvents} history events.`,
    `Seed ${seed} gives this trace: ${trace.length} lines, SHA-256 ${traceSha256}.`,
  ]
  return toText(lines)
}
