import type { ExecutionEvidence } from '../evidence.ts'

/** Tasks whose failure the next observation makes good (docs/machines.md), with the states that follow their failure. */
const REPEATED = /^(Roll over|Rescue archives)\b/

type Watching = Pick<ExecutionEvidence, 'machine' | 'name' | 'status' | 'history'>

/** Checks that a rollover or a rescue that fails does not end the watching of a show. */
export function continuedWatching({ executions }: { readonly executions: readonly Watching[] }): string[] {
  return executions.flatMap(({ machine, name, status, history }) => {
    if (machine !== 'watch' || status !== 'FAILED') return []
    const last = history.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? []).at(-1)
    return REPEATED.test(String(last)) ? [`the execution ${name} of watch ended in the state ${last}`] : []
  })
}
