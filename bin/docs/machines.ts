import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local/root.ts'

/** The fields of a state in Amazon States Language that the documents use. */
export interface State {
  readonly Comment?: string
  readonly Type: 'Task' | 'Choice' | 'Wait' | 'Parallel' | 'Map' | 'Pass' | 'Succeed' | 'Fail'
  readonly Resource?: string
  readonly Error?: string
  readonly Next?: string
  readonly Default?: string
  readonly Choices?: readonly { readonly Condition: string; readonly Next: string }[]
  readonly Catch?: readonly { readonly Next: string }[]
  readonly Branches?: readonly Scope[]
  readonly ItemProcessor?: Scope
  readonly Items?: unknown
}

/** States of one level: a machine, a branch or an iteration. */
export interface Scope {
  readonly StartAt: string
  readonly States: Readonly<Record<string, State>>
}

export interface Machine extends Scope {
  readonly Comment: string
}

export const machineNames = ['show', 'audience', 'watch', 'rescue', 'notify', 'publish'] as const

export const readMachine = (name: string): Machine =>
  JSON.parse(readFileSync(join(root, `statemachines/${name}.asl.json`), 'utf8'))

export const innerScopes = ({ Branches = [], ItemProcessor }: State): Scope[] => [
  ...Branches,
  ...(ItemProcessor ? [ItemProcessor] : []),
]

/** Returns every state of a scope with its title, including the states of inner scopes. */
export const statesOf = ({ States }: Scope): [string, State][] =>
  Object.entries(States).flatMap(([title, state]) => [
    [title, state] as [string, State],
    ...innerScopes(state).flatMap(statesOf),
  ])
