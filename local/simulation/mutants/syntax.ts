import { parseAst } from 'vitest/node'

/** A node of a syntax tree in the ESTree format. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** A node with the nodes that it is in, innermost first. */
export interface Visited {
  readonly node: Node
  readonly parents: readonly Node[]
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

/** Nodes that only the compiler reads. */
const isType = ({ type, importKind, exportKind }: Node) =>
  importKind === 'type' || exportKind === 'type' || (type.startsWith('TS') && !VALUES.includes(type))

/** Nodes of TypeScript that hold a value. */
const VALUES = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']

/** Returns every node of a TypeScript source that runs, outer nodes first. Types are left out. */
export const nodesOf = (source: string): Visited[] => [...walk(parseAst(source, { lang: 'ts' }) as unknown as Node, [])]

function* walk(node: Node, parents: readonly Node[]): Generator<Visited> {
  if (isType(node)) return
  yield { node, parents }
  for (const [field, value] of Object.entries(node)) {
    if (field === 'typeAnnotation' || field === 'typeArguments') continue
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* walk(child, [node, ...parents])
  }
}
