import { type DocumentedScope, type DocumentedState, innerScopes } from './machines.ts'

/** Renders a machine as a Mermaid flowchart: dotted edges for errors, boxes for branches and iterations. */
export function flowchart(machine: DocumentedScope): string {
  return [
    'flowchart TD',
    '  start(("start"))',
    `  start --> ${id(machine.StartAt)}`,
    ...scopeLines(machine, '  '),
  ].join('\n')
}

function scopeLines({ States }: DocumentedScope, indent: string): string[] {
  const states = Object.entries(States)
  return [
    ...states.flatMap(([title, state]) => nodeLines(title, state, indent)),
    ...states.flatMap(([title, state]) => edges(title, state).map((edge) => indent + edge)),
  ]
}

/** Titles are unique within a machine, but some differ by their question mark alone. */
const id = (title: string) =>
  title.replace('?', ' or not').replace(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase())

/** Double quotes delimit a label. */
const label = (text: string) => `"${text.replaceAll('"', "'")}"`

function nodeLines(title: string, state: DocumentedState, indent: string): string[] {
  const inner = innerScopes(state)
  if (inner.length > 0) {
    const heading = state.Type === 'Map' ? `${title}, one for each` : title
    const lines = inner.flatMap((scope) => scopeLines(scope, `${indent}  `))
    return [`${indent}subgraph ${id(title)}[${label(heading)}]`, ...lines, `${indent}end`]
  }
  return [indent + id(title) + shape(state.Type, label(title))]
}

function shape(type: DocumentedState['Type'], text: string): string {
  if (type === 'Choice') return `{${text}}`
  if (type === 'Wait') return `([${text}])`
  if (type === 'Succeed') return `((${text}))`
  return type === 'Fail' ? `(((${text})))` : `[${text}]`
}

function edges(title: string, { Next, Default, Choices = [], Catch = [] }: DocumentedState): string[] {
  const from = id(title)
  return [
    ...Choices.map(({ Condition, Next: next }) => `${from} -->|${label(shortened(Condition))}| ${id(next)}`),
    ...(Default ? [`${from} -->|otherwise| ${id(Default)}`] : []),
    ...(Next ? [`${from} --> ${id(Next)}`] : []),
    ...[...new Set(Catch.map((one) => one.Next))].map((next) => `${from} -.-> ${id(next)}`),
  ]
}

/** Removes from a JSONata condition what all conditions have. */
export const shortened = (condition: string) =>
  condition
    .replace(/^\{%\s*|\s*%\}$/g, '')
    .replace(/\$toMillis\(([^)]*)\)/g, '$1')
    .replace(/\$states\.(input|context)\./g, '')
    .replace(/\b(State|Execution)\.(?=EnteredTime|StartTime)/g, '')
