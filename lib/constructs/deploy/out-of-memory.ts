import { names } from '../../show/document/fields/names.ts'
import { OUT_OF_MEMORY, PROCESS_ENDED } from '../../tasks/retries.ts'
import type { TaskName } from '../../tasks/tasks.ts'

const ERRORS = [OUT_OF_MEMORY, PROCESS_ENDED]

interface Catching {
  Type: string
  Catch?: unknown
  [field: string]: unknown
}

/**
 * Replaces the cause of a function that ran out of memory by one that names function, memory and the setting to raise.
 * @param scope states that contain `title`; a Fail state is added to them
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

/** Lambda kills most of them without mentioning memory. No quotes: this becomes a JSONata string in a JSON string. */
const messageFor = (task: TaskName, memory: number) =>
  `The function ${names.substitution(task)} ended before it answered, probably because its memory of ${memory} MB was used up. ` +
  `Raise the setting memory.tasks.${task} and deploy: see docs/deploy.md, Limits of the account.`

const explained = (cause: string) =>
  `($error := $states.errorOutput; $error.Error in ${JSON.stringify(ERRORS).replaceAll('"', "'")} ? ` +
  `$merge([$error, { 'Cause': '${cause}' }]) : $error)`
