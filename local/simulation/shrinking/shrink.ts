import type { Assembly } from '../../cloud/assembly.ts'
import { type Scenario, type Trial, tryScenario } from '../runner/trial.ts'
import { ddmin } from './ddmin.ts'
import { recordFaults } from './recorded-faults.ts'
import { elementsOf, type PlainScenario, type ScenarioElement, toScenario } from './scenario-elements.ts'

/** The trial of a seed, reduced to what breaks its first invariant. */
export interface Shrunk {
  readonly trial: Trial
  readonly trace: readonly string[]
  /** Elements that break the first invariant; undefined if none is broken. */
  readonly needed?: readonly ScenarioElement[]
  /** Number of elements before shrinking. */
  readonly of?: number
}

export interface ShrinkOptions {
  readonly assembly: Assembly
  readonly seed: number
  readonly scenario: Scenario
  /** Upper bound of simulations. @default 300 */
  readonly tries?: number
  readonly signal?: AbortSignal
  /** Called before each simulation. */
  readonly onTry?: (left: number) => void
}

/**
 * Simulates a seed. If an invariant is broken, removes the elements of its show, plan and faults that are not needed to
 * break it. The trial and trace are those of the remaining scenario.
 */
export async function shrink({ assembly, seed, scenario, tries, signal, onTry }: ShrinkOptions): Promise<Shrunk> {
  const attempt = async (one: Scenario) => {
    let trace: readonly string[] = []
    const trial = await tryScenario(
      { assembly, seed, ...one },
      {
        onTrace: (lines) => {
          trace = [...lines]
        },
      },
    )
    return { trial, trace }
  }
  const { decide, recorded } = recordFaults(scenario.decide ?? (() => undefined))
  const whole = await attempt({ ...scenario, decide })
  const invariant = whole.trial.broken[0]?.invariant
  if (invariant === undefined) return whole

  const plain: PlainScenario = { ...scenario, faults: [...recorded] }
  const all = elementsOf(plain)
  const withOnly = (some: readonly ScenarioElement[]) =>
    toScenario(all.filter((one) => !some.includes(one)).reduce((left, one) => one.removeFrom(left), plain))
  let best = whole
  const breaks = async (some: readonly ScenarioElement[]) => {
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
