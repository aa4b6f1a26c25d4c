import { createHash } from 'node:crypto'
import type { AddedMachine } from '../states/operations.ts'
import type { AllOf } from './routes.ts'

export interface MachineProperties {
  readonly DefinitionString?: unknown
  readonly DefinitionSubstitutions?: unknown
}

/** Reads the state machines and their published versions. @throws Error naming a version of an unknown machine */
export function readMachines(all: AllOf): AddedMachine[] {
  const machines = all<MachineProperties>('AWS::StepFunctions::StateMachine').map(({ ref, properties }) => ({
    arn: ref,
    name: ref.split(':').at(-1) ?? '',
    definition: definitionOf(properties),
  }))
  const versions = all<VersionProperties>('AWS::StepFunctions::StateMachineVersion').map(({ id, ref, properties }) => {
    const machine = machines.find(({ arn }) => arn === properties.StateMachineArn)
    if (!machine) throw new Error(`${id}: ${String(properties.StateMachineArn)} is not a state machine of the stack.`)
    // Without the revision, AWS would publish the first definition only.
    if (properties.StateMachineRevisionId !== revisionOf(machine.definition))
      throw new Error(`${id}: its StateMachineRevisionId must be that of its state machine.`)
    return { ...machine, arn: ref }
  })
  return [...machines, ...versions]
}

/** Substitutes a definition textually, as CloudFormation does. */
export function definitionOf({ DefinitionString, DefinitionSubstitutions = {} }: MachineProperties): string {
  const substitutions = DefinitionSubstitutions as Readonly<Record<string, string>>
  return String(DefinitionString).replace(/\$\{(\w+)\}/g, (whole, name: string) => substitutions[name] ?? whole)
}

/** Returns the revision of a definition. AWS numbers updates; here the definition identifies itself. */
export const revisionOf = (definition: string): string =>
  createHash('sha256').update(definition).digest('hex').slice(0, 32)

interface VersionProperties {
  readonly StateMachineArn?: unknown
  readonly StateMachineRevisionId?: unknown
}
