import {
  innerScopes,
  isTerminal,
  type Machine,
  type Scope,
  type State,
  scopesOf,
  statesOf,
  successorsOf,
} from './machines.ts'

/** States nothing leads to, states with no way to an end, and choices that may be left without one. */
export function deadEnds(machine: Scope): string[] {
  return scopesOf(machine).flatMap((scope) => {
    const { StartAt, States } = scope
    const reached = reachedFrom(StartAt, States)
    return Object.entries(States).flatMap(([title, state]) => [
      ...(reached.has(title) ? [] : [`Nothing leads to "${title}".`]),
      ...(endsSomewhere(title, States) ? [] : [`"${title}" has no way to an end.`]),
      ...(state.Type === 'Choice' && !state.Default
        ? [`"${title}" has no Default, so it fails when no choice fits.`]
        : []),
    ])
  })
}

/** A state and all that can come after it, within its scope. */
function reachedFrom(title: string, states: Scope['States'], reached = new Set<string>()): Set<string> {
  const state = states[title]
  if (!state || reached.has(title)) return reached
  reached.add(title)
  for (const next of successorsOf(state)) reachedFrom(next, states, reached)
  return reached
}

const endsSomewhere = (title: string, states: Scope['States']) =>
  [...reachedFrom(title, states)].some((reached) => isTerminal(states[reached] as State))

/**
 * Task states whose failure would end an execution that nobody looks after.
 *
 * A failure is caught by a Catch for every error on the state itself, on a Parallel or Map around it, or on the Task state
 * that runs its whole machine as a child.
 */
export function uncaughtTasks(machine: Machine, machines: readonly Machine[]): string[] {
  return isCaughtByParents(machine, machines) ? [] : uncaughtIn(machine.definition)
}

function uncaughtIn({ States }: Scope): string[] {
  return Object.entries(States)
    .filter(([, state]) => !catchesAll(state))
    .flatMap(([title, state]) => [...(state.Type === 'Task' ? [title] : []), ...innerScopes(state).flatMap(uncaughtIn)])
}

const catchesAll = ({ Catch = [] }: State) => Catch.some(({ ErrorEquals }) => ErrorEquals.includes('States.ALL'))

/** Whether the machine is only ever run as a child, by states whose failures are all caught. */
function isCaughtByParents(machine: Machine, machines: readonly Machine[]): boolean {
  const child = `\${${machine.name.charAt(0).toUpperCase()}${machine.name.slice(1)}Machine}`
  const runners = machines.flatMap((parent) =>
    statesOf(parent.definition)
      .filter(({ state }) => (state.Arguments as { StateMachineArn?: string } | undefined)?.StateMachineArn === child)
      .map(({ title }) => ({ parent, title })),
  )
  return runners.length > 0 && runners.every(({ parent, title }) => !uncaughtTasks(parent, machines).includes(title))
}
