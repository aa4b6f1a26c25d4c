import { DEPLOYED, deploymentOf } from '../../environment/deployments.ts'
import type { Evidence, ExecutionEvidence } from '../evidence.ts'

const PARENT = 'AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID'

/**
 * Checks that a deployment changes no execution which runs, nor the children that it starts later: each execution has the
 * definition that was deployed last before it started, and each child that of its parent.
 */
export function oneDefinition({ executions, trace }: Pick<Evidence, 'executions' | 'trace'>): string[] {
  const deployments = trace.filter(({ unnoticed }) => unnoticed === DEPLOYED).map(({ at }) => at)
  if (deployments.length === 0) return []
  const byArn = new Map(executions.map((one) => [one.executionArn, one]))
  return executions.flatMap((one) => {
    const { [PARENT]: parentArn = '' } = JSON.parse(one.input) as { readonly [PARENT]?: string }
    const parent = byArn.get(parentArn)
    const at = one.startDate.getTime()
    const [least, most] = parent
      ? [numberOf(parent), numberOf(parent)]
      : [deployments.filter((time) => time < at).length, deployments.filter((time) => time <= at).length]
    const number = numberOf(one)
    return number >= least && number <= most
      ? []
      : [`the execution ${one.name} of ${one.machine} has the definition ${number}, and not ${most}`]
  })
}

/** Returns the number of the deployment by whose definition an execution runs; 0 for the first. */
function numberOf({ history }: ExecutionEvidence): number {
  const first = history.find(({ type }) => type.endsWith('StateEntered'))
  const { name = '' } = (first?.stateEnteredEventDetails ?? {}) as { readonly name?: string }
  return deploymentOf(name) ?? 0
}
