import { names } from '../../show/document/fields/names.ts'
import { OUT_OF_MEMORY, PROCESS_ENDED } from '../../tasks/retries.ts'
import type { TaskName } from '../../tasks/tasks.ts'

const ERRORS = [OUT_OF_MEMORY, PROCESS_ENDED]

/** A state with its catchers, as far as they are changed. */
interface Catching {
  Type: string
  Catch?: unknown
  [field: string]: unknown
}

/**
 * Replaces the cause of a function that ended by lack of memory, which names nothing but a request, by one that names the
 * function, what it had and the setting to raise. A state with catchers gets it where they read the error; any other fails the
 * states around it with it.
 * @param scope the states that `title` is one of; the state to fail with is added to them
 */
export function explainMemory(
  scope: Record<string, Catching>,
  title: string,
  { task, memory }: { readonly task: TaskName; readonly memory: number },
): void {
  const state = scope[title]
  if (!state) return
  const cause = JSON.stringify({ errorMessage: messageFor(task, memory) })
  if (state.Catch) {
    state.Catch = JSON.parse(
      JSON.stringify(state.Catch).replaceAll('$states.errorOutput', () =>
        JSON.stringify(explained(cause)).slice(1, -1),
      ),
    )
    return
  }
  const next = `${title} out of memory`
  state.Catch = [{ ErrorEquals: ERRORS, Next: next }]
  scope[next] = { Type: 'Fail', Error: '{% $states.input.Error %}', Cause: cause }
}

/** Lambda itself ends most of them without a word about memory. No quotes in it: it becomes a text of JSONata in one of JSON. */
const messageFor = (task: TaskName, memory: number) =>
  `The function ${names.substitution(task)} ended before it answered, as happens when its memory of ${memory} MB is used up. ` +
  `Raise the setting memory.tasks.${task} and deploy: see docs/deploy.md, Limits of the account.`

const explained = (cause: string) =>
  `($error := $states.errorOutput; $error.Error in ${JSON.stringify(ERRORS).replaceAll('"', "'")} ? ` +
  `$merge([$error, { 'Cause': '${cause}' }]) : $error)`
