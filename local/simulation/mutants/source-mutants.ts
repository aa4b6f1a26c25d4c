import { type Edit, type Mutant, positionOf } from './mutant.ts'
import { type Node, nodesOf, type Visited } from './syntax.ts'

/** A replacement of a node’s text, or of a range in it. */
interface Replacement {
  readonly kind: string
  readonly instead: string
  readonly start?: number
  readonly end?: number
}

type Mutate = (visited: Visited, textOf: (node: Node) => string) => Replacement[]

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const ARITHMETIC: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }
/** Methods whose receiver is a list as well, so that a call can be left out. */
const LIST_METHODS = ['filter', 'toSorted', 'toReversed', 'slice', 'sort', 'reverse']

/** Replaces the operator between two operands, which no other text but parentheses is between. */
function operator(node: Node, instead: string): Pick<Replacement, 'start' | 'end' | 'instead'> {
  const { left, right } = node as unknown as { left: Node; right: Node }
  return { start: left.end, end: right.start, instead }
}

const mutators: Readonly<Record<string, Mutate>> = {
  IfStatement: ({ node }, textOf) => [inverted(node.test as Node, textOf)],
  ConditionalExpression: ({ node }, textOf) => [inverted(node.test as Node, textOf)],
  BinaryExpression: ({ node }, textOf) => {
    const sign = String(node.operator)
    const compared = COMPARISONS[sign]
    const calculated = ARITHMETIC[sign]
    const between = operator(node, '')
    const around = (other: string) => {
      const [before = '', after = ''] = textOf({ ...node, start: between.start ?? 0, end: between.end ?? 0 }).split(
        sign,
      )
      return { ...between, instead: `${before}${other}${after}` }
    }
    if (compared) return [{ kind: 'comparison', ...around(compared) }]
    return calculated && !isText(node) ? [{ kind: 'arithmetic', ...around(calculated) }] : []
  },
  LogicalExpression: ({ node }, textOf) => {
    const sign = String(node.operator)
    const { left, right } = node as unknown as { left: Node; right: Node }
    const other = LOGICAL[sign]
    return other
      ? [{ kind: 'condition', instead: `((${textOf(left)}) ${other} (${textOf(right)}))` }]
      : [{ kind: 'default', instead: `(${textOf(left)})` }]
  },
  UnaryExpression: ({ node }, textOf) =>
    node.operator === '!' ? [{ kind: 'condition', instead: `(${textOf(node.argument as Node)})` }] : [],
  Literal: ({ node, parents }) => literal(node, parents),
  AwaitExpression: ({ node, parents }, textOf) =>
    parents[0]?.type === 'ExpressionStatement'
      ? [{ kind: 'await', instead: `void ${textOf(node.argument as Node)}` }]
      : [],
  ExpressionStatement: ({ parents }) => (parents[0]?.type === 'Program' ? [] : [{ kind: 'statement', instead: ';' }]),
  ThrowStatement: () => [{ kind: 'statement', instead: ';' }],
  ContinueStatement: () => [{ kind: 'statement', instead: ';' }],
  BreakStatement: ({ parents }) => (parents[0]?.type === 'SwitchCase' ? [] : [{ kind: 'statement', instead: ';' }]),
  BlockStatement: ({ node, parents }) => {
    const isFunction = /Function/.test(parents[0]?.type ?? '')
    const { start } = node
    return isFunction && (node.body as unknown[]).length > 1
      ? [{ kind: 'early return', start: start + 1, end: start + 1, instead: ' return undefined as never;' }]
      : []
  },
  CallExpression: ({ node }, textOf) => {
    const { object, property } = node.callee as { object?: Node; property?: Node & { name?: string } }
    if (!object || !property) return []
    if (LIST_METHODS.includes(property.name ?? '') && object.type !== 'Identifier')
      return [{ kind: 'list', instead: textOf(object) }]
    if (textOf(object) !== 'Math' || (property.name !== 'min' && property.name !== 'max')) return []
    const { start, end } = property
    return [{ kind: 'bound', start, end, instead: property.name === 'min' ? 'max' : 'min' }]
  },
}

const inverted = (test: Node, textOf: (node: Node) => string): Replacement => ({
  kind: 'condition',
  start: test.start,
  end: test.end,
  instead: `!(${textOf(test)})`,
})

function literal({ value, raw }: Node, parents: readonly Node[]): Replacement[] {
  const [parent, grandparent] = parents
  if (typeof value === 'number') {
    const other = value === 0 ? 1 : value === 1 ? 0 : value * 2
    return [{ kind: 'number', instead: String(other) }]
  }
  if (typeof value === 'boolean') return [{ kind: 'boolean', instead: String(!value) }]
  if (typeof value !== 'string') return []
  const isName = /^(Import|Export)/.test(parent?.type ?? '') || (parent?.type === 'Property' && isKeyOf(parent, raw))
  const isMessage = parent?.type === 'NewExpression' || grandparent?.type === 'NewExpression'
  return isName || isMessage || isDescription(parent)
    ? []
    : [{ kind: 'text', instead: `'${value.replaceAll(/['\\\n]/g, '')}X'` }]
}

/** Returns true for a call that only describes a field. The generated documents have the text, and a test compares them. */
const isDescription = (parent: Node | undefined) =>
  (parent?.callee as { readonly property?: { readonly name?: string } } | undefined)?.property?.name === 'describe'

const isKeyOf = ({ key }: Node, raw: unknown) => (key as Node).raw === raw

/** Returns true if an operation with + joins texts. */
function isText({ left, right }: Node): boolean {
  return [left, right].some((one) => {
    const node = one as Node
    return (
      node.type === 'TemplateLiteral' ||
      typeof node.value === 'string' ||
      (node.type === 'BinaryExpression' && isText(node))
    )
  })
}

/** Returns every mutant of a TypeScript source, in the order of the text. */
export function mutantsOfSource(file: string, source: string): Mutant[] {
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  return nodesOf(source).flatMap((visited) => {
    const { node } = visited
    const found = mutators[node.type]?.(visited, textOf) ?? []
    return found.map(({ kind, instead, start = node.start, end = node.end }) =>
      describe({ file, start, end, instead }, kind, source),
    )
  })
}

/** Returns the mutant of one edit. */
export function describe(edit: Edit, kind: string, source: string): Mutant {
  const { start, end, instead } = edit
  const was = source.slice(start, end)
  const what = was === '' ? `adds ${inline(instead)}` : `${inline(was)} → ${inline(instead)}`
  return { what, kind, at: positionOf(edit, () => source), edits: [edit] }
}

const LONGEST = 90
const inline = (text: string) => {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}
