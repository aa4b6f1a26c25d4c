import { AwsError } from '../../cloud/endpoint/aws-json.ts'
import type { InjectedFaults } from '../faults/faults.ts'

/** Returns a function that is called before an execution starts another. It throws the faults of the seed. */
export function createChildStarts(faults: InjectedFaults): (stateMachineArn: string) => void {
  return (stateMachineArn) => {
    const machine = /([a-z]+)(:\d+)?$/.exec(stateMachineArn)?.[1] ?? stateMachineArn
    const site = { caller: 'cloud', operation: `execution ${machine}` } as const
    const fault = faults.decide({ ...site, target: 'execution' })
    if (!fault) return
    faults.recordCall({ ...site, kind: fault.kind }, `cloud -> ${site.operation} ${fault.kind}`)
    throw new AwsError('Throttling', 'Rate exceeded')
  }
}
