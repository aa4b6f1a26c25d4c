import type { Assembly } from '../../cloud/assembly.ts'
import { type Scenario, type Trial, tryScenario } from '../runner/trial.ts'
import { ddmin } from './ddmin.ts'
import { type Ingredient, ingredientsOf, type PlainScenario, toScenario } from './ingredients.ts'
import { recordFaults } from './recorded-faults.ts'

/** A seed's trial with the shortest way there was found to what it breaks. */
export interface Shrunk {
  readonly trial: Trial
  readonly trace: readonly string[]
  /** What the trial needs to break its first invariant; undefined when none is broken. */
  readonly needed?: readonly Ingredient[]
  /** How many there were. */
  readonly of?: number
}

export interface ShrinkOptions {
  readonly assembly: Assembly
  readonly seed: number
  readonly scenario: Scenario
  /** Simulations at most; 200 unless told. */
  readonly tries?: number
  readonly signal?: AbortSignal
  /** Told before each of them. */
  readonly onTry?: (left: number) => void
}

/**
 * Simulates a seed and, when an invariant is broken, leaves out of its show, its plan and its faults what is not needed to
 * break that one. The trace and the trial are those of what is left.
 */
export async function shrink(options: ShrinkOptions): Promise<Shrunk> {
  const { assembly, seed, scenario, tries, signal, onTry } = options
  const attempt = async (one: Scenario) => {
    let trace: readonly string[] = []
    const trial = await tryScenario({ assembly, seed, ...one }, (lines) => {
      trace = [...lines]
    })
    return { trial, trace }
  }
  const { decide, recorded } = recordFaults(scenario.decide ?? (() => undefined))
  const whole = await attempt({ ...scenario, decide })
  const invariant = whole.trial.broken[0]?.invariant
  if (invariant === undefined) return whole

  const plain: PlainScenario = { ...scenario, faults: [...recorded] }
  const all = ingredientsOf(plain)
  const withOnly = (some: readonly Ingredient[]) =>
    toScenario(all.filter((one) => !some.includes(one)).reduce((left, one) => one.leaveOut(left), plain))
  let best = whole
  const breaks = async (some: readonly Ingredient[]) => {
    if (signal?.aborted) return false
    onTry?.(some.length)
    const tried = await attempt(withOnly(some))
    const isBroken = tried.trial.broken.some((one) => one.invariant === invariant)
    if (isBroken) best = tried
    return isBroken
  }
  const needed = await ddmin(all, breaks, tries === undefined ? {} : { tries })
  return { ...best, needed, of: all.length }
}
