import type { Expression } from 'jsonata'

/** Values of variables by their names. */
type Variables = Readonly<Record<string, unknown>>

/** Evaluates an expression, or returns {@link UNDECIDED} where only JSONata has the answer. */
export type QuickQuery = (bindings: Variables) => unknown

/** The result of a quick query whose operands have other types than usual. */
export const UNDECIDED = Symbol('undecided')

/** A node of JSONata’s syntax tree, which its types describe in part. */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly steps?: readonly Node[]
  readonly lhs?: Node
  readonly rhs?: Node
  readonly procedure?: Node
  readonly arguments?: readonly Node[]
}

/**
 * Compiles an expression of paths, constants, comparisons, differences, `$count` and `$toMillis`; returns undefined for any
 * other. Most expressions of definitions are such, and JSONata takes a hundred times as long.
 */
export const compileQuickQuery = (expression: Expression): QuickQuery | undefined =>
  compile(expression.ast() as unknown as Node)

function compile(node: Node): QuickQuery | undefined {
  if (!hasOnly(node, FIELDS[node.type] ?? [])) return undefined
  if (node.type === 'path' || node.type === 'variable') {
    const path = pathOf(node)
    return path && ((bindings) => scalarOr(follow(path, bindings)))
  }
  if (node.type === 'string' || node.type === 'number' || node.type === 'value') return () => node.value
  if (node.type === 'binary') return compileBinary(node)
  return node.type === 'function' ? compileCall(node) : undefined
}

/** Fields of the nodes that are compiled. Another field changes what a node means, as a filter does. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  path: ['steps'],
  variable: ['value'],
  name: ['value'],
  string: ['value'],
  number: ['value'],
  value: ['value'],
  binary: ['value', 'lhs', 'rhs'],
  function: ['value', 'procedure', 'arguments'],
}

const hasOnly = (node: Node, fields: readonly string[]) =>
  Object.entries(node).every(
    ([field, value]) => value === undefined || field === 'type' || field === 'position' || fields.includes(field),
  )

/** Returns a variable and the names of fields; undefined for any other path. */
function pathOf(node: Node): string[] | undefined {
  const [first, ...names] = node.type === 'path' ? (node.steps ?? []) : [node]
  const isPlain = first?.type === 'variable' && first.value !== '' && names.every(({ type }) => type === 'name')
  if (!isPlain || ![first, ...names].every((step) => hasOnly(step, FIELDS[step.type] ?? []))) return undefined
  return [first, ...names].map(({ value }) => String(value))
}

/** Returns the value at a path of objects; undefined where it ends, or leads through an array. */
function follow(path: readonly string[], bindings: Variables): unknown {
  let value: unknown = bindings
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSONata unpacks arrays, and a missing value follows other rules. */
const scalarOr = (value: unknown): unknown =>
  value === null || isRecord(value) || ['string', 'number', 'boolean'].includes(typeof value) ? value : UNDECIDED

function compileBinary({ value: operator, lhs, rhs }: Node): QuickQuery | undefined {
  const [left, right] = [lhs && compile(lhs), rhs && compile(rhs)]
  const apply = OPERATORS[String(operator)]
  if (!left || !right || !apply) return undefined
  return (bindings) => apply(left(bindings), right(bindings))
}

type Operator = (one: unknown, other: unknown) => unknown

const ofNumbers =
  (apply: (one: number, other: number) => unknown): Operator =>
  (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? apply(one, other) : UNDECIDED

/** Compares values of which at most one is an object: two are compared by their contents. */
const ofValues =
  (apply: (one: unknown, other: unknown) => boolean): Operator =>
  (one, other) =>
    typeof one === 'symbol' || typeof other === 'symbol' || (isRecord(one) && isRecord(other))
      ? UNDECIDED
      : apply(one, other)

const OPERATORS: Readonly<Record<string, Operator>> = {
  '=': ofValues((one, other) => one === other),
  '!=': ofValues((one, other) => one !== other),
  '>': ofNumbers((one, other) => one > other),
  '>=': ofNumbers((one, other) => one >= other),
  '<': ofNumbers((one, other) => one < other),
  '<=': ofNumbers((one, other) => one <= other),
  '-': ofNumbers((one, other) => one - other),
}

function compileCall({ value, procedure, arguments: given = [] }: Node): QuickQuery | undefined {
  const name = String(procedure?.value)
  const apply = FUNCTIONS[name]
  const path = given[0] && hasOnly(given[0], FIELDS[given[0].type] ?? []) ? pathOf(given[0]) : undefined
  if (value !== '(' || procedure?.type !== 'variable' || given.length !== 1 || !apply || !path) return undefined
  return (bindings) => (Object.hasOwn(bindings, name) ? UNDECIDED : apply(follow(path, bindings)))
}

const FUNCTIONS: Readonly<Record<string, (value: unknown) => unknown>> = {
  count: (value) => (Array.isArray(value) ? value.length : UNDECIDED),
  toMillis: (value) => (typeof value === 'string' && TIME.test(value) ? Date.parse(value) : UNDECIDED),
}

/** A time as `toISOString` writes it. */
const TIME = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/
