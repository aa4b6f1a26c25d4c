import { availableParallelism } from 'node:os'
import type { Assembly, Template } from '../../cloud/assembly.ts'
import { differencesOf, type Outcome } from '../outcomes/outcome.ts'
import type { Change } from '../outcomes/recorded-outcomes.ts'
import { createModules } from './changed-modules.ts'
import { type Mutant, mutate, type ReadSource } from './mutant.ts'
import { createThread, type Thread } from './thread.ts'
import type { Answer } from './worker.ts'

export interface TryMutantsOptions {
  readonly assembly: Assembly
  /** Root of the repository, with a slash at its end. */
  readonly root: string
  readonly read: ReadSource
  readonly mutants: readonly Mutant[]
  readonly seeds: number
  /** Returns the template with changed definitions of state machines, by path. */
  readonly templateOf: (sources: Readonly<Record<string, string>>) => Template
  /** @default one for each core */
  readonly threads?: number
  readonly onSeed?: (done: number) => void
  readonly onVerdict?: (verdict: Verdict) => void
  /** Ends the run without the mutants under way. */
  readonly signal?: AbortSignal
}

/** The outcome of a mutant by the simulation. */
export interface Verdict {
  readonly mutant: Mutant
  /** The first violation. Undefined if the mutant survives. */
  readonly caught?: { readonly seed: number; readonly invariant: string; readonly detail: string }
  /** Seeds that execute the changed place. */
  readonly reachedBy: number
  /** Seeds that were simulated with the mutant. */
  readonly simulated: number
  /** Seeds among them that the mutant changes, and no invariant judges. */
  readonly changed: readonly Change[]
}

/** Hits of each mutant in a seed, and the outcome of the seed without a mutant. */
interface Baseline {
  readonly seed: number
  readonly outcome?: Outcome | undefined
  readonly hits: readonly number[]
  /** Lines of its trace, by which it takes longer. */
  readonly steps: number
}

const UNCHANGED = -1
const isCode = (file: string) => file.endsWith('.ts')

/**
 * Simulates each mutant until a seed breaks an invariant: first the seed that caught it before, then those that reach it. Of these, the
 * ones come first that reach it most often for the lines of their traces: they are simulated soon, and have few faults that excuse.
 * @throws Error when a seed breaks an invariant without a mutant
 */
export async function tryMutants(options: TryMutantsOptions): Promise<Verdict[]> {
  const known = options.mutants.flatMap((mutant) =>
    mutant.seed === undefined ? [] : [{ mutant, seeds: [{ seed: mutant.seed }] }],
  )
  const caught = await judgeAll(options, known, ({ caught }) => caught !== undefined)
  const done = new Set(caught.map(({ mutant }) => mutant))
  const rest = options.mutants.filter((mutant) => !done.has(mutant))
  if (rest.length === 0 || options.signal?.aborted) return caught
  const baselines = await simulateUnchanged({ ...options, mutants: rest })
  const tasks = rest.map((mutant, index) => ({ mutant, seeds: reaching(baselines, index) }))
  return [...caught, ...(await judgeAll(options, tasks, () => true))]
}

interface Task {
  readonly mutant: Mutant
  readonly seeds: readonly Pick<Baseline, 'seed' | 'outcome'>[]
}

/** Judges mutants in several threads, and returns and reports the outcomes that count. */
async function judgeAll(
  { assembly, root, read, threads = availableParallelism(), onVerdict, signal, templateOf }: TryMutantsOptions,
  tasks: readonly Task[],
  counts: (verdict: Verdict) => boolean,
): Promise<Verdict[]> {
  const modulesOf = createModules(root, read)
  const verdicts: Verdict[] = []
  let next = 0
  const work = async (thread: Thread) => {
    while (next < tasks.length && !signal?.aborted) {
      const number = next++
      const { mutant, seeds } = tasks[number] as Task
      const sources = mutate(mutant, read)
      const order = { number, template: templateOf(sources), modules: modulesOf(sources) }
      const verdict = await judge(mutant, seeds, (seed) => thread.simulate({ ...order, seed }), signal)
      if (signal?.aborted) return
      if (!counts(verdict)) continue
      verdicts.push(verdict)
      onVerdict?.(verdict)
    }
  }
  await inThreads(Math.min(threads, tasks.length), { root, stackName: assembly.stackName }, signal, work)
  return verdicts
}

/** Simulates every seed without a mutant, and counts how often it reaches each mutant. */
async function simulateUnchanged(options: TryMutantsOptions): Promise<Baseline[]> {
  const { assembly, root, mutants, seeds, threads: count = availableParallelism(), onSeed, signal } = options
  const points = mutants.map(({ edits: [edit] }) => ({ file: edit?.file ?? '', start: edit?.start ?? 0 }))
  const { stackName, template } = assembly
  const baselines: Baseline[] = []
  let next = 1
  await inThreads(count, { root, stackName, points }, signal, async (thread) => {
    while (next <= seeds && !signal?.aborted) {
      const order = { seed: next++, number: UNCHANGED, template, modules: {} }
      const { trial, reached } = await thread.simulate(order)
      if (signal?.aborted) return
      const [broken] = trial.broken
      if (broken)
        throw new Error(
          `Seed ${trial.seed} breaks “${broken.invariant}” without a mutant: ${broken.detail} Mend it first.`,
        )
      const { seed, outcome } = trial
      baselines.push({ seed, outcome, hits: hitsOf(points, reached), steps: reached?.steps ?? 1 })
      onSeed?.(baselines.length)
    }
  })
  return baselines.toSorted((one, other) => one.seed - other.seed)
}

/** Returns the hits of each point. Every seed reaches definitions of machines, and what is executed while modules are loaded. */
const hitsOf = (points: readonly { readonly file: string }[], reached: Answer['reached']) =>
  points.map(({ file }, at) => (isCode(file) && !reached?.byLoading[at] ? (reached?.bySeed[at] ?? 0) : 1))

/** Returns the seeds that reach a mutant, those first that reach it most often for what they simulate. */
function reaching(baselines: readonly Baseline[], number: number): Baseline[] {
  const density = ({ hits, steps }: Baseline) => (hits[number] ?? 0) / steps
  return baselines.filter((one) => density(one) > 0).toSorted((one, other) => density(other) - density(one))
}

async function judge(
  mutant: Mutant,
  seeds: Task['seeds'],
  simulate: (seed: number) => Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  let simulated = 0
  const changed: Change[] = []
  for (const { seed, outcome } of seeds) {
    if (signal?.aborted) break
    const { trial } = await simulate(seed)
    simulated++
    const [broken] = trial.broken
    if (broken) return { mutant, caught: { seed, ...broken }, reachedBy: seeds.length, simulated, changed }
    const parts = outcome ? differencesOf(outcome, trial.outcome) : []
    if (parts.length > 0) changed.push({ seed, parts })
  }
  return { mutant, reachedBy: seeds.length, simulated, changed }
}

/** Runs `work` in several threads, which end when it is done or the signal aborts. */
async function inThreads(
  count: number,
  input: Parameters<typeof createThread>[0],
  signal: AbortSignal | undefined,
  work: (thread: Thread) => Promise<void>,
): Promise<void> {
  const threads = Array.from({ length: count }, () => createThread(input))
  const close = () => Promise.all(threads.map((thread) => thread.close()))
  const stop = () => void close()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await Promise.all(threads.map(work))
  } finally {
    signal?.removeEventListener('abort', stop)
    await close()
  }
}
