import type { Evidence, ExecutionEvidence } from '../evidence.ts'

/** Tasks whose failure the next observation makes good (docs/machines.md). */
const REPEATED: ReadonlySet<string> = new Set(['Roll over', 'Rescue archives'])

type Watching = Pick<ExecutionEvidence, 'machine' | 'name' | 'status' | 'history'>

/** Checks that a rollover or a rescue that fails does not end the watching of a show. */
export function continuedWatching({ executions }: { readonly executions: readonly Watching[] }): string[] {
  return executions.flatMap(({ machine, name, status, history }) => {
    if (machine !== 'watch' || status !== 'FAILED') return []
    const last = history.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? []).at(-1)
    return last !== undefined && REPEATED.has(String(last))
      ? [`the execution ${name} of watch ended because its task ${last} failed`]
      : []
  })
}
