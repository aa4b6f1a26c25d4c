import { StatesError } from '../../cloud/states/definition/errors.ts'
import { findCatcher } from '../../cloud/states/execution/retry.ts'
import { plausibleFaultsOf } from '../faults/fault.ts'
import { type Coverage, strikeOf } from './coverage.ts'

/** A definition of a state machine, as far as its coverage is concerned. */
export interface CoveredDefinition {
  readonly States: Readonly<Record<string, CoveredState>>
}

interface CoveredState {
  readonly Retry?: readonly Handler[]
  readonly Catch?: readonly Handler[]
  readonly Branches?: readonly CoveredDefinition[]
  readonly ItemProcessor?: CoveredDefinition
}

interface Handler {
  readonly ErrorEquals: readonly string[]
}

/** A kind of places, with those that nothing reached. */
export interface Covered {
  readonly of: number
  readonly missed: readonly string[]
}

/** Lists states, retries and catches of machines that no simulation reached. @param machines definitions by name */
export function missedPlaces(
  { states, retries, catches }: Coverage,
  machines: Readonly<Record<string, CoveredDefinition>>,
): Record<'states' | 'retries' | 'catches', Covered> {
  const all = Object.entries(machines).flatMap(([machine, definition]) =>
    statesOf(definition).map(([name, state]) => ({ place: `${machine}: ${name}`, state })),
  )
  const handlers = (field: 'Retry' | 'Catch') =>
    all.flatMap(({ place, state }) => {
      const lists = (state[field] ?? []).map(({ ErrorEquals }) => ErrorEquals)
      return lists.map((errors) => ({ place, errors, lists }))
    })
  const handled = (field: 'Retry' | 'Catch', counts: Coverage['retries']) => {
    const isReached = ({ place, errors, lists }: ReturnType<typeof handlers>[number]) =>
      errorsAt(place, counts).some((error) => handlerOf(lists, error) === errors)
    return cover(handlers(field), isReached, ({ place, errors }) => `${place} after ${errors.join(', ')}`)
  }
  return {
    states: cover(
      all,
      ({ place }) => states[place] !== undefined,
      ({ place }) => place,
    ),
    retries: handled('Retry', retries),
    catches: handled('Catch', catches),
  }
}

/** Lists faults at sites that struck fewer than `times` times. A site is an operation that was called in a state. */
export function rareStrikes({ calls, strikes }: Coverage, times: number): Covered {
  const possible = Object.keys(calls).flatMap((site) => kindsAt(site).map((kind) => strikeOf(kind, site)))
  return cover(
    possible,
    (strike) => (strikes[strike] ?? 0) >= times,
    (strike) => strike,
  )
}

/** Returns the kinds of faults that can strike a site. */
export function kindsAt(site: string): ReturnType<typeof plausibleFaultsOf> {
  const [target] = site.split(' ')
  if (target === 'execution') return plausibleFaultsOf({ caller: 'cloud', target, operation: site })
  if (target === 'lambda') return plausibleFaultsOf({ caller: 'cloud', target: 'function', operation: site })
  return plausibleFaultsOf({ caller: target === 'api' ? 'app' : 'a function', target: 'aws', operation: site })
}

function cover<Place>(all: readonly Place[], isReached: (place: Place) => boolean, nameOf: (place: Place) => string) {
  return { of: all.length, missed: all.filter((one) => !isReached(one)).map(nameOf) }
}

function statesOf({ States }: CoveredDefinition): [name: string, state: CoveredState][] {
  return Object.entries(States).flatMap(([name, state]) => [
    [name, state] as [string, CoveredState],
    ...[...(state.Branches ?? []), ...(state.ItemProcessor ? [state.ItemProcessor] : [])].flatMap(statesOf),
  ])
}

const errorsAt = (place: string, counts: Coverage['retries']) =>
  Object.keys(counts).flatMap((name) =>
    name.startsWith(`${place} after `) ? [name.slice(`${place} after `.length)] : [],
  )

/** Returns the list of the handler that Step Functions takes for an error: the first that covers it. */
function handlerOf(lists: readonly (readonly string[])[], error: string): readonly string[] | undefined {
  const exit = { output: undefined, assign: [], next: undefined }
  const found = findCatcher(
    lists.map((errors) => ({ errors, exit })),
    new StatesError(error, ''),
  )
  return found?.errors
}
