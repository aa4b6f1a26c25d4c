import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local/root.ts'

/** The fields of a state in Amazon States Language that the documents use. */
export interface DocumentedState {
  readonly Comment?: string
  readonly Type: 'Task' | 'Choice' | 'Wait' | 'Parallel' | 'Map' | 'Pass' | 'Succeed' | 'Fail'
  readonly Resource?: string
  readonly Error?: string
  readonly Next?: string
  readonly Default?: string
  readonly Choices?: readonly { readonly Condition: string; readonly Next: string }[]
  readonly Catch?: readonly { readonly Next: string }[]
  readonly Branches?: readonly DocumentedScope[]
  readonly ItemProcessor?: DocumentedScope
  readonly Items?: unknown
}

/** States of one level: a machine, a branch or an iteration. */
export interface DocumentedScope {
  readonly StartAt: string
  readonly States: Readonly<Record<string, DocumentedState>>
}

export interface DocumentedMachine extends DocumentedScope {
  readonly Comment: string
}

export const machineNames = ['show', 'audience', 'watch', 'rescue', 'notify', 'publish'] as const

export const readDocumentedMachine = (name: string): DocumentedMachine =>
  JSON.parse(readFileSync(join(root, `statemachines/${name}.asl.json`), 'utf8'))

export const innerScopes = ({ Branches = [], ItemProcessor }: DocumentedState): DocumentedScope[] => [
  ...Branches,
  ...(ItemProcessor ? [ItemProcessor] : []),
]

/** Returns every state of a scope with its title, including the states of inner scopes. */
export const statesOf = ({ States }: DocumentedScope): [string, DocumentedState][] =>
  Object.entries(States).flatMap(([title, state]) => [
    [title, state] as [string, DocumentedState],
    ...innerScopes(state).flatMap(statesOf),
  ])
