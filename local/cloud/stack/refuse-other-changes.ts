import { isDeepStrictEqual } from 'node:util'
import type { Template, TemplateResource } from '../assembly.ts'
import { INERT_RESOURCES } from './known-resources.ts'
import { honouredOf } from './refuse-unknown.ts'

/** Resource types that a deployment can change while the cloud runs: code and flow of executions. */
const CHANGEABLE = ['AWS::Lambda::Function', 'AWS::Lambda::EventInvokeConfig', 'AWS::StepFunctions::StateMachine']
const VERSIONS = ['AWS::Lambda::Version', 'AWS::StepFunctions::StateMachineVersion']

/**
 * Refuses changes of other resources, whose stored state would have to change with them.
 * @throws Error naming every change beside functions, state machines and their versions
 */
export function refuseOtherChanges(from: Template, to: Template): void {
  const sections = (['Parameters', 'Outputs'] as const).filter((name) => !isDeepStrictEqual(from[name], to[name]))
  const ids = new Set([...Object.keys(from.Resources), ...Object.keys(to.Resources)])
  const problems = [
    ...sections.map((name) => `the ${name}`),
    ...[...ids].filter((id) => !isAllowed(from.Resources[id], to.Resources[id])),
  ]
  if (problems.length > 0)
    throw new Error(
      `While the cloud runs, a deployment changes functions and state machines, and leaves their versions: not ${problems.join(', ')}.`,
    )
}

function isAllowed(before: TemplateResource | undefined, after: TemplateResource | undefined): boolean {
  const { Type: type = '' } = after ?? before ?? {}
  if (before && after && before.Type !== type) return false
  if (INERT_RESOURCES.has(type)) return true
  if (VERSIONS.includes(type)) return !before || isRetained(before)
  if (CHANGEABLE.includes(type)) return after !== undefined
  return isDeepStrictEqual(before && honouredOf(before), after && honouredOf(after))
}

/** Returns true for a retained version. AWS deletes others, and running executions could not call them. */
const isRetained = ({ DeletionPolicy, UpdateReplacePolicy }: TemplateResource) =>
  DeletionPolicy === 'Retain' && UpdateReplacePolicy === 'Retain'
