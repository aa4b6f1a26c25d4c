import jsonata, { type Expression } from 'jsonata'
import { DefinitionError, QueryEvaluationError } from './errors.ts'
import { type QueryEnvironment, registerQueryFunctions } from './query-functions.ts'
import { compileQuickQuery, type QuickQuery, UNDECIDED } from './quick-queries.ts'

/** Values that an expression can read: variables by name, and `$states`. */
export type Bindings = Readonly<Record<string, unknown>>

/** A value of a definition, whose `{% … %}` strings are expressions. */
export interface ValueTemplate {
  /** Its field, for example `Output` or `Choices[0]/Condition`. */
  readonly location: string
  /** Names the field, and the expression if there is one, in messages. */
  readonly title: string
  /** True if it has no expression, so that its value is constant. */
  readonly isLiteral: boolean
  /**
   * Returns a JSON value that shares nothing with JSONata’s structures.
   * @throws QueryEvaluationError when an expression fails or yields nothing
   */
  evaluate(bindings: Bindings): unknown
}

/**
 * Parses a template once, or at its first evaluation if the same expression has parsed before.
 * @throws DefinitionError for an expression that does not parse, or that calls `$eval`, which Step Functions does not
 * have
 */
export function compileTemplate(value: unknown, location: string, environment: QueryEnvironment): ValueTemplate {
  if (typeof value === 'string') return compileString(value, location, environment)
  if (Array.isArray(value)) {
    const parts = value.map((part, index) => compileTemplate(part, `${location}[${index}]`, environment))
    if (parts.every((part) => part.isLiteral)) return literal(value, location)
    return {
      location,
      title: titleOf(location),
      isLiteral: false,
      evaluate: (bindings) => evaluateAll(parts, bindings),
    }
  }
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value)
    const parts = Object.entries(value).map(([key, part]) => compileTemplate(part, `${location}/${key}`, environment))
    if (parts.every((part) => part.isLiteral)) return literal(value, location)
    const evaluate = async (bindings: Bindings) => {
      const values = await evaluateAll(parts, bindings)
      return Object.fromEntries(keys.map((key, index) => [key, values[index]]))
    }
    return { location, title: titleOf(location), isLiteral: false, evaluate }
  }
  return literal(value, location)
}

export const isExpression = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith('{%') && value.endsWith('%}') && value.length >= 4

const titleOf = (location: string) => `The field '${location}'`

const literal = (value: unknown, location: string): ValueTemplate => ({
  location,
  title: titleOf(location),
  isLiteral: true,
  evaluate: () => value,
})

/** Evaluates in sequence, so that random numbers are drawn in the order of the definition. */
async function evaluateAll(parts: readonly ValueTemplate[], bindings: Bindings): Promise<unknown[]> {
  const values: unknown[] = []
  for (const part of parts) values.push(part.isLiteral ? part.evaluate(bindings) : await part.evaluate(bindings))
  return values
}

function compileString(text: string, location: string, environment: QueryEnvironment): ValueTemplate {
  if (!isExpression(text)) {
    if (!text.startsWith('{%')) return literal(text, location)
    throw new DefinitionError(`field '${location}' starts with '{%' but does not end with '%}'`)
  }
  const source = text.slice(2, -2).trim()
  let expression: Expression | undefined
  const open = () => {
    const parsed = parse(source, location)
    registerQueryFunctions(parsed, environment)
    return parsed
  }
  if (!checked.has(source)) {
    expression = open()
    if (checked.size >= MAX_CHECKED) checked.clear()
    checked.set(source, compileQuickQuery(expression))
  }
  const quick = checked.get(source)
  const title = `The JSONata expression '${source}' specified for the field '${location}'`
  return {
    location,
    title,
    isLiteral: false,
    async evaluate(bindings) {
      const complain = (problem: string) => new QueryEvaluationError(location, `${title} ${problem}`)
      const found = quick ? quick(bindings) : UNDECIDED
      if (found !== UNDECIDED) return toJson(found, () => complain('returned an unsupported result type.'))
      expression ??= open()
      const result: unknown = await expression.evaluate(undefined, bindings).catch((error: unknown) => {
        const { code, message } = error as { code?: string; message?: string }
        throw complain(`threw an error during evaluation. ${code ? `${code}: ` : ''}${message}`)
      })
      if (result === undefined) throw complain('returned nothing (undefined).')
      return toJson(result, () => complain('returned an unsupported result type.'))
    },
  }
}

/**
 * Expressions that have parsed, with their quick queries. Simulations compile the same definitions again, and JSONata evaluates
 * few of their expressions.
 */
const checked = new Map<string, QuickQuery | undefined>()
const MAX_CHECKED = 10_000

function parse(source: string, location: string): Expression {
  let expression: Expression
  try {
    expression = jsonata(source)
  } catch (error) {
    const newer = NEWER_OPERATORS.exec(withoutText(source))?.[0]
    const problem = newer
      ? `uses ${newer}, which JSONata 2.0 lacks: Step Functions runs 2.0.6`
      : `is not a JSONata expression: ${(error as Error).message}`
    throw new DefinitionError(`field '${location}' ${problem}`)
  }
  if (callsEval(expression.ast()))
    throw new DefinitionError(`field '${location}' calls $eval, which Step Functions does not offer; use $parse`)
  return expression
}

/** Operators of JSONata 2.1. */
const NEWER_OPERATORS = /\?:|\?\?/

const withoutText = (source: string) => source.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`|\/\*.*?\*\//gs, '')

function callsEval(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false
  const { type, value } = node as { type?: unknown; value?: unknown }
  return (type === 'variable' && value === 'eval') || Object.values(node).some(callsEval)
}

/** Copies a result, which may be a sequence, contain functions, or share structure with its input. */
function toJson(value: unknown, refuse: () => Error): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map((part) => toJson(part ?? null, refuse))
  if (typeof value !== 'object' || '_jsonata_lambda' in value || '_jsonata_function' in value) throw refuse()
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries.map(([key, part]) => [key, toJson(part, refuse)]))
}

type JsonType = 'array' | 'boolean' | 'integer' | 'number' | 'string'

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/**
 * Evaluates a template and checks its type.
 * @throws QueryEvaluationError in AWS’s wording when the type differs or the value is outside `range` (both ends
 * included)
 */
export async function evaluateAs<T>(
  template: ValueTemplate,
  bindings: Bindings,
  type: JsonType,
  range: { min: number; max: number } = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY },
): Promise<T> {
  const value = await template.evaluate(bindings)
  const isOfType = type === 'integer' ? Number.isInteger(value) : typeOf(value) === type
  const problem = (text: string) => new QueryEvaluationError(template.location, `${template.title} ${text}`)
  if (!isOfType) {
    const shown = JSON.stringify(value)
    throw problem(
      `returned an unexpected result type. Expected '${type}', but was '${typeOf(value)}' for value: ${shown}`,
    )
  }
  if (typeof value === 'number' && (value < range.min || value > range.max))
    throw problem(`must be between ${range.min} and ${range.max}, but was ${value}`)
  return value as T
}
