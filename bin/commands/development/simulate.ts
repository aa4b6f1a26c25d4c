import { Command, InvalidArgumentError } from 'commander'
import { inOneLine } from '../../../lib/show/document/fields/texts.ts'
import { parseShow, type Show } from '../../../lib/show/document/show.ts'
import type { Assembly } from '../../../local/cloud/assembly.ts'
import { synthesize } from '../../local/assembly.ts'
import { interruptible } from '../../local/interruption.ts'
import { readShowFile } from '../../shows/show-file.ts'
import { simulateSeeds } from '../../simulation/many-seeds.ts'
import { simulateOneShow } from '../../simulation/one-show.ts'
import { trySingleFaults } from '../../simulation/single-faults.ts'

interface Options {
  readonly seeds?: number
  readonly first?: number
  readonly seed?: number
  readonly show?: string
  readonly exhaustive?: boolean
  readonly write?: boolean
  readonly trace?: boolean
  readonly json?: boolean
}

export const simulateCommand = () =>
  new Command('simulate')
    .description(
      'run whole shows in this process, without media and without waiting, under faults that a seed decides; what has come of them is held against the invariants',
    )
    .option('--seeds <count>', 'random shows and random faults, of so many seeds', parseCount)
    .option('--first <number>', 'the first of these seeds, 1 unless told', parseSeed)
    .option('--seed <number>', 'one such seed; with --show and no --seeds, the seed of its order', parseSeed)
    .option('--show <file>', 'a show document, JSON: run once as it should go, or with --seeds under faults')
    .option('--exhaustive', 'every single fault at every place from which a call is made')
    .option('--write', `with --exhaustive: write what became of each into the document`)
    .option('--trace', 'print every decision and what came of it, one line each')
    .option('--json', 'print one JSON object, and nothing else, to standard output')
    .action(runSimulation)

async function runSimulation(options: Options): Promise<void> {
  refuseContradictions(options)
  const { seeds, first = 1, seed, show: file, exhaustive, write = false, trace = false, json = false } = options
  const show = file === undefined ? undefined : await readShow(file)
  await interruptible(async (signal) => {
    const assembly: Assembly = await synthesize(signal)
    if (exhaustive) return trySingleFaults({ assembly, write, json, signal })
    if (show && seeds === undefined) return simulateOneShow({ assembly, show, seed: seed ?? 1, json, trace })
    return simulateSeeds({ assembly, first: seed ?? first, count: seeds ?? 1, file, json, trace, signal })
  })
}

/** @throws Error in one sentence */
function refuseContradictions({ seeds, first, seed, show, exhaustive, write, trace }: Options): void {
  const given = { seeds, first, seed, show, trace }
  const beside = Object.entries(given).find(([, value]) => value !== undefined)
  if (exhaustive && beside) throw new Error(`--exhaustive and --${beside[0]} exclude each other.`)
  if (write && !exhaustive) throw new Error('--write is only for --exhaustive.')
  if (first !== undefined && seeds === undefined) throw new Error('--first is only for --seeds.')
  if (seed !== undefined && seeds !== undefined) throw new Error('--seed and --seeds exclude each other: use --first.')
  if (!exhaustive && seeds === undefined && seed === undefined && show === undefined)
    throw new Error('Say what to simulate: --seeds <count>, --seed <number>, --show <file> or --exhaustive.')
}

/** @throws Error in one sentence when it is no file, no JSON or no show */
async function readShow(file: string): Promise<Show> {
  const parsed = parseShow(await readShowFile(file))
  if ('show' in parsed) return parsed.show
  const problems = parsed.problems.map(({ path, message }) => inOneLine(`${path || 'the document'} ${message}`))
  throw new Error(`The show ${file} is not valid: ${problems.join('; ')}.`)
}

function parseSeed(text: string): number {
  const seed = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed))
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`)
  return seed
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999999.')
  return Number(text)
}
