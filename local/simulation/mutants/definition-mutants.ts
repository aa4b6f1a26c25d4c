import type { Mutant } from './mutant.ts'
import { describe } from './source-mutants.ts'
import { type Node, nodesOf } from './syntax.ts'

interface Member extends Node {
  readonly key: Node & { readonly value: string }
  readonly value: Node & { readonly value?: unknown; readonly elements?: readonly Node[] }
}

/** Fields whose removal leaves a valid definition. */
const REMOVED: Readonly<Record<string, string>> = { Retry: 'retry', Catch: 'catch' }
const NUMBERS = ['TimeoutSeconds', 'Seconds', 'MaxAttempts', 'IntervalSeconds', 'BackoffRate', 'MaxDelaySeconds']

/** Returns every mutant of a definition in the Amazon States Language, in the order of the text. */
export function mutantsOfDefinition(file: string, source: string): Mutant[] {
  // A JSON document is an expression, which parentheses make a program.
  const members = nodesOf(`(${source})`)
    .map(({ node, parents }) => ({ node: node as Member, parents }))
    .filter(({ node }) => node.type === 'Property')
  return members.flatMap(({ node: { key, value, ...member }, parents }) => {
    const replace = (kind: string, { start, end }: { start: number; end: number }, instead: string) =>
      describe({ file, start: start - 1, end: end - 1, instead }, kind, source)
    const name = key.value
    const removed = REMOVED[name]
    if (removed) return [replace(removed, member, `"Comment${member.start}": ""`)]
    if (NUMBERS.includes(name) && typeof value.value === 'number')
      return numbersFor(value.value).map((number) => replace('number', value, String(number)))
    if (name === 'Condition') return [replace('condition', value, inverted(String(value.value)))]
    if (name === 'Choices')
      return (value.elements ?? []).map((choice) => replace('choice removed', conditionOf(choice), '"{% false %}"'))
    const isAssigned = (parents[1] as Member | undefined)?.key?.value === 'Assign'
    return isAssigned && value.value !== null ? [replace('assignment', value, 'null')] : []
  })
}

const numbersFor = (number: number) => (number > 1 ? [number * 2, 1] : [number * 2 || 1])

/** Returns the condition of a choice, which is replaced by a false one: an empty list of choices is not valid. */
const conditionOf = (choice: Node): Node =>
  (choice.properties as Member[]).find(({ key }) => key.value === 'Condition')?.value ?? choice

const inverted = (condition: string) =>
  JSON.stringify(condition.replace(/^\{% (.*) %\}$/s, (_, inner: string) => `{% $not(${inner}) %}`))
