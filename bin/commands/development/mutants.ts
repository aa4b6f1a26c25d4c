import { Command, Option } from 'commander'
import { tryMutants } from '../../../local/simulation/mutants/try-mutants.ts'
import { synthesizeTemplate } from '../../local/assembly.ts'
import { interruptible } from '../../local/interruption.ts'
import { root } from '../../local/root.ts'
import { createReader, findMutants } from '../../mutants/find-mutants.ts'
import { mutatedTemplate } from '../../mutants/mutated-template.ts'
import { readMistakes } from '../../mutants/read-mistakes.ts'
import { areasOf, describeFinding, findingsOf, type MutantsReport, summarizeMutants } from '../../mutants/report.ts'
import { tryByTests } from '../../mutants/try-by-tests.ts'
import { collect, wholeNumber } from '../../parsers.ts'

interface Options {
  readonly by: 'simulation' | 'tests' | 'both'
  readonly planted?: boolean
  readonly list?: string
  readonly in: readonly string[]
  readonly sample?: number
  readonly seed: number
  readonly seeds: number
  readonly threads?: number
  readonly json?: boolean
}

const count = wholeNumber(1, 9_999_999)

export const mutantsCommand = () =>
  new Command('mutants')
    .description('change one line of the source at a time, and report which changes simulation and unit tests catch')
    .addOption(
      new Option('--by <judge>', 'both: unit tests try what the simulation lets pass')
        .choices(['simulation', 'tests', 'both'])
        .default('simulation'),
    )
    .option(
      '--planted',
      'try the planted mistakes of local/simulation/mutants/planted, all of which must be caught or harmless',
    )
    .addOption(
      new Option(
        '--list <file>',
        'try the mistakes of a JSON file: [{"what", "edits": [{"file", "text", "instead"}]}], each text once in its file',
      ).conflicts('planted'),
    )
    .option('--in <path>', 'beginning of the paths to change; repeatable (default: all)', collect, [])
    .option('--sample <count>', 'number of mutants to draw (default: all)', count)
    .option('--seed <number>', 'decides which mutants are drawn', wholeNumber(0), 1)
    .option('--seeds <count>', 'seeds of the simulation, of which those are tried that execute the mutant', count, 50)
    .option('--threads <count>', 'threads of the simulation (default: one for each core)', count)
    .option('--json', 'print only one JSON object to standard output')
    .action(runMutants)

async function runMutants(options: Options): Promise<void> {
  const { planted = false, list, sample, seed, json = false } = options
  const read = createReader()
  const from = list ? readMistakes(list) : planted ? 'planted' : 'generated'
  const { mutants, of } = findMutants(read, { from, within: options.in, sample, seed })
  if (mutants.length === 0)
    throw new Error(`There is no mutant in ${options.in.join(' or ')}. Check the paths of --in.`)
  const began = performance.now()
  await interruptible(async (signal) => {
    const simulation = options.by === 'tests' ? undefined : await bySimulation(options, { read, mutants, signal })
    const left = simulation ? simulation.filter(({ caught }) => !caught).map(({ mutant }) => mutant) : mutants
    const tests =
      options.by === 'simulation' || signal.aborted ? undefined : await byTests({ read, mutants: left, signal })
    if (signal.aborted) return
    const findings = findingsOf({ simulation, tests })
    const report: MutantsReport = {
      of,
      seeds: simulation ? options.seeds : null,
      seconds: (performance.now() - began) / 1000,
      caught: findings.filter(({ caught }) => caught).length,
      areas: areasOf(findings),
      findings,
    }
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : summarizeMutants(report))
    if (planted && findings.some(({ caught, harmless }) => !caught && harmless === null)) process.exitCode = 1
  })
}

const progress = (text: string) => process.stderr.write(`… ${text}\n`)

type Trying = Pick<Parameters<typeof tryByTests>[0], 'read' | 'mutants' | 'signal'>

async function bySimulation({ seeds, threads }: Options, { read, mutants, signal }: Trying) {
  const assembly = await synthesizeTemplate(signal)
  let done = 0
  return tryMutants({
    ...{ assembly, root: `${root}/`, read, mutants, seeds, signal },
    ...(threads !== undefined && { threads }),
    templateOf: (sources) => mutatedTemplate(assembly.template, sources),
    onSeed: (simulated) => {
      if (simulated % 10 === 0) progress(`${simulated} of ${seeds} seeds without a mutant`)
    },
    onVerdict: (verdict) => progress(`${++done} of ${mutants.length}: ${lineOf({ simulation: [verdict] })}`),
  })
}

function byTests(trying: Trying) {
  let done = 0
  const { length } = trying.mutants
  return tryByTests({
    ...trying,
    onVerdict: (verdict) => progress(`${++done} of ${length} by tests: ${lineOf({ tests: [verdict] })}`),
  })
}

const lineOf = ({ simulation, tests }: Partial<Parameters<typeof findingsOf>[0]>) =>
  findingsOf({ simulation, tests }).map(describeFinding).join()
