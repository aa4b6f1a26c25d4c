import { Command } from 'commander'
import { inOneLine } from '../../../lib/show/document/fields/texts.ts'
import { parseShow, type Show } from '../../../lib/show/document/show.ts'
import type { Assembly } from '../../../local/cloud/assembly.ts'
import { synthesizeTemplate } from '../../local/assembly.ts'
import { interruptible } from '../../local/interruption.ts'
import { wholeNumber } from '../../parsers.ts'
import { readShowFile } from '../../shows/show-file.ts'
import { simulateSeeds } from '../../simulation/many-seeds.ts'
import { simulateManyShows } from '../../simulation/many-shows.ts'
import { simulateOneShow } from '../../simulation/one-show.ts'
import { saveSeed } from '../../simulation/save-seed.ts'
import { trySingleFaults } from '../../simulation/single-faults.ts'

interface Options {
  readonly seeds?: number
  readonly first?: number
  readonly seed?: number
  readonly show?: string
  readonly shows?: number
  readonly hours?: number
  readonly callsPerSecond?: number
  readonly exhaustive?: boolean
  readonly write?: boolean
  readonly record?: boolean
  readonly save?: string
  readonly trace?: boolean
  readonly json?: boolean
}

const parseSeed = wholeNumber(0)

export const simulateCommand = () =>
  new Command('simulate')
    .description('run whole shows in one process, without media or waiting, under seeded faults; check the invariants')
    .option('--seeds <count>', 'number of seeds, each for a random show and random faults', wholeNumber(1, 9_999_999))
    .option('--first <number>', 'first of these seeds (default: 1)', parseSeed)
    .option('--seed <number>', 'seed; with --show it only decides the interleaving', parseSeed)
    .option('--show <file>', 'show document (JSON): run it once without faults, or with --seeds under faults')
    .option(
      '--shows <count>',
      'number of webinars in one world, most of which start on the hour',
      wholeNumber(1, 99_999),
    )
    .option('--hours <count>', 'with --shows: hours within which they start (default: 2)', wholeNumber(1, 24))
    .option(
      '--calls-per-second <count>',
      'with --shows: calls in a second that the platform answers; others get 429 (default: no limit)',
      wholeNumber(1, 99_999),
    )
    .option('--exhaustive', 'try every single fault at every call site')
    .option(
      '--write',
      'with --exhaustive: write the outcomes to docs/faults.md; with --seeds: count the sites that faults strike',
    )
    .option('--record', 'with --seeds: record the outcomes of these seeds, with which later runs compare theirs')
    .option(
      '--save <folder>',
      'with --seed: save what can be observed of the seed: trace, documents, callbacks, answers',
    )
    .option('--trace', 'print every decision and its result, one line each')
    .option('--json', 'print only one JSON object to standard output')
    .action(runSimulate)

async function runSimulate(options: Options): Promise<void> {
  refuseContradictions(options)
  const {
    seeds,
    first = 1,
    seed,
    show: file,
    shows,
    hours = 2,
    callsPerSecond,
    exhaustive,
    write = false,
    record = false,
    save,
    trace = false,
    json = false,
  } = options
  const show = file === undefined ? undefined : await readShow(file)
  await interruptible(async (signal) => {
    const assembly: Assembly = await synthesizeTemplate(signal)
    if (shows !== undefined)
      return simulateManyShows({ assembly, seed: seed ?? 1, shows, hours, callsPerSecond, json, signal })
    if (exhaustive) return trySingleFaults({ assembly, write, json, signal })
    if (show && seeds === undefined) return simulateOneShow({ assembly, show, seed: seed ?? 1, json, trace })
    if (seed !== undefined && save !== undefined) return saveSeed({ assembly, seed, folder: save })
    const count = seeds ?? 1
    return simulateSeeds({ assembly, first: seed ?? first, count, file, json, trace, write, record, signal })
  })
}

/** @throws Error when options exclude each other, or nothing is chosen */
function refuseContradictions(options: Options): void {
  const { seeds, first, seed, show, shows, hours, callsPerSecond, exhaustive, write, record, save, trace, json } =
    options
  const besideShows = Object.entries({ seeds, first, show, exhaustive, trace }).find(([, value]) => value !== undefined)
  if (shows !== undefined && besideShows)
    throw new Error(`--shows and --${besideShows[0]} exclude each other. Use one of them.`)
  if (hours !== undefined && shows === undefined) throw new Error('--hours requires --shows.')
  if (callsPerSecond !== undefined && shows === undefined) throw new Error('--calls-per-second requires --shows.')
  const given = { seeds, first, seed, show, trace }
  const beside = Object.entries(given).find(([, value]) => value !== undefined)
  if (exhaustive && beside) throw new Error(`--exhaustive and --${beside[0]} exclude each other. Use one of them.`)
  if (write && !exhaustive && seeds === undefined) throw new Error('--write requires --exhaustive or --seeds.')
  if (write && show) throw new Error('--write and --show exclude each other. Use one of them.')
  if (record && seeds === undefined) throw new Error('--record requires --seeds.')
  if (record && show) throw new Error('--record and --show exclude each other. Use one of them.')
  if (save !== undefined && seed === undefined) throw new Error('--save requires --seed.')
  if (save !== undefined && (show ?? shows) !== undefined)
    throw new Error('--save saves a random seed. Use it without --show and --shows.')
  if (save !== undefined && (trace || json))
    throw new Error('--save writes files, and prints no trace and no JSON. Use it alone with --seed.')
  if (first !== undefined && seeds === undefined) throw new Error('--first requires --seeds.')
  if (seed !== undefined && seeds !== undefined)
    throw new Error('--seed and --seeds exclude each other. Use --first with --seeds.')
  if (!exhaustive && [shows, seeds, seed, show].every((one) => one === undefined))
    throw new Error(
      'Choose what to simulate with --seeds <count>, --seed <number>, --show <file>, --shows <count> or --exhaustive.',
    )
}

/** @throws Error when the file cannot be read, or is not a valid show */
async function readShow(file: string): Promise<Show> {
  const parsed = parseShow(await readShowFile(file))
  if ('show' in parsed) return parsed.show
  const problems = parsed.problems.map(({ path, message }) => inOneLine(`${path || 'the document'} ${message}`))
  throw new Error(`The show ${file} is not valid: ${problems.join('; ')}.`)
}
