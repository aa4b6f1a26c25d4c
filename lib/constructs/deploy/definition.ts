import { readFileSync } from 'node:fs'
import { names } from '../../show/document/fields/names.ts'
import { defaultMemory, memoryOf } from '../../tasks/memory.ts'
import { retriesOf, throttledStart } from '../../tasks/retries.ts'
import type { Task } from '../../tasks/task.ts'
import { tasks } from '../../tasks/tasks.ts'
import { explainMemory } from './out-of-memory.ts'

interface State {
  Type: string
  Resource?: string
  TimeoutSeconds?: number
  Retry?: readonly unknown[]
  Catch?: unknown
  Arguments?: unknown
  MaxConcurrency?: number
  States?: Record<string, State>
  Branches?: { States: Record<string, State> }[]
  ItemProcessor?: { States: Record<string, State> }
  [field: string]: unknown
}

/** Seconds beyond a function's timeout, for a cold start and the network. */
const BEYOND_FUNCTION = 30

/** Items of a Map in parallel: new accounts can run ten functions at once, and a publish runs five beside it. */
export const DEFAULT_CONCURRENCY = 2

interface Options {
  readonly concurrency?: number | undefined
  readonly memory?: Parameters<typeof memoryOf>[1] | undefined
}

interface Definition {
  readonly text: string
  readonly tasks: (keyof typeof tasks)[]
}

/**
 * Reads `statemachines/<name>.asl.json` and completes it.
 * @throws Error as {@link completeDefinition} does
 */
export function readDefinition(name: string, options?: Options): Definition {
  const file = new URL(`../../../statemachines/${name}.asl.json`, import.meta.url)
  return completeDefinition(name, readFileSync(file, 'utf8'), options)
}

/**
 * Adds the fields that follow from other sources to a definition. Every task gets its timeout (`lib/tasks`), its retries
 * (`lib/tasks/retries.ts`), the handling of exhausted memory, and its execution for the log. The start of a child gets its
 * retries after throttling, and every Map its concurrency.
 * @throws Error when a state names a task that does not exist
 */
export function completeDefinition(
  name: string,
  source: string,
  { concurrency = DEFAULT_CONCURRENCY, memory = defaultMemory }: Options = {},
): Definition {
  const definition = JSON.parse(source) as { States: Record<string, State> }
  const used = new Set<keyof typeof tasks>()
  for (const [title, state, scope] of [...allStates(definition.States)]) {
    if (state.Type === 'Map') state.MaxConcurrency = concurrency
    if (state.Resource?.startsWith(CHILD)) state.Retry = [throttledStart, ...(state.Retry ?? [])]
    const substitution = /^\$\{(\w+)\}$/.exec(state.Resource ?? '')?.[1]
    if (!substitution) continue
    const found = (Object.keys(tasks) as (keyof typeof tasks)[]).find(
      (task) => names.substitution(task) === substitution,
    )
    if (!found)
      throw new Error(`${name}.asl.json: the state "${title}" names the task ${substitution}, which does not exist.`)
    used.add(found)
    state.TimeoutSeconds = (tasks[found] as Task).timeout + BEYOND_FUNCTION
    state.Retry = retriesOf(found)
    state.Arguments = withExecution(state.Arguments)
    explainMemory(scope, title, { task: found, memory: memoryOf(found, memory) })
  }
  return { text: JSON.stringify(definition), tasks: [...used] }
}

/** The resource of a state that starts an execution, whether it waits for its end or not. */
const CHILD = 'arn:aws:states:::states:startExecution'

const EXECUTION = '$states.context.Execution.Id'

/** Arguments are an object, or an expression that yields one. */
function withExecution(given: unknown): unknown {
  if (typeof given === 'object') return { ...given, execution: `{% ${EXECUTION} %}` }
  const expression = /^\{% (.+) %\}$/.exec(String(given))?.[1] ?? '$states.input'
  return `{% $merge([${expression}, { "execution": ${EXECUTION} }]) %}`
}

/** Returns every state with its title and its scope. */
function* allStates(states: Record<string, State>): Generator<[string, State, Record<string, State>]> {
  for (const [title, state] of Object.entries(states)) {
    yield [title, state, states]
    for (const branch of state.Branches ?? []) yield* allStates(branch.States)
    if (state.ItemProcessor) yield* allStates(state.ItemProcessor.States)
  }
}
