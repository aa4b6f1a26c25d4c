import { compileTemplate } from './expressions.ts'
import { createFields, type Fields } from './fields.ts'
import { SECONDS } from './limits.ts'
import type { Assignment, Catcher, Exit, Retrier } from './machine.ts'
import type { QueryEnvironment } from './query-functions.ts'

export interface DefinitionOptions extends QueryEnvironment {
  /** Checks a resource and its literal arguments. @throws DefinitionError when they are not supported */
  checkTask(resource: string, literalArguments: unknown): void
}

export interface DefinitionScope extends DefinitionOptions {
  /** State names so far, which are unique in the whole state machine. */
  readonly names: Set<string>
  /** Variables assigned outside, which an inner machine may read but not assign. */
  readonly outer: ReadonlySet<string>
}

export interface DefinitionSurroundings {
  readonly scope: DefinitionScope
  readonly siblings: readonly string[]
  /** Variables of this machine and of those around it. */
  readonly assigned: ReadonlySet<string>
}

export function compileChoice(raw: unknown, index: number, name: string, around: DefinitionSurroundings) {
  const fields = createFields(raw, `state '${name}', Choices[${index}]`)
  fields.allow('Condition', 'Next', 'Output', 'Assign', 'Comment')
  const { Condition } = fields.raw
  if (typeof Condition !== 'boolean') fields.expression('Condition')
  const condition = fields.wrap(() => compileTemplate(Condition, `Choices[${index}]/Condition`, around.scope))
  return { condition, exit: compileExit(fields, around, 'Next', `Choices[${index}]/`) }
}

export function compileHandling(
  fields: Fields,
  around: DefinitionSurroundings,
): { retry: Retrier[]; catch: Catcher[] } {
  const within = (field: string, index: number, raw: unknown) =>
    createFields(raw, `${fields.where}, ${field}[${index}]`)
  const last = (list: readonly unknown[], index: number) => index === list.length - 1
  const retry = fields
    .list('Retry', [])
    .map((raw, index, list) => compileRetrier(within('Retry', index, raw), last(list, index)))
  const catchers = fields.list('Catch', []).map((raw, index, list) => {
    const catcher = within('Catch', index, raw)
    catcher.allow('ErrorEquals', 'Next', 'Output', 'Assign', 'Comment')
    return {
      errors: errorNames(catcher, last(list, index)),
      exit: compileExit(catcher, around, 'Next', `Catch[${index}]/`),
    }
  })
  return { retry, catch: catchers }
}

/** Compiles a retrier, with the defaults of the Amazon States Language. */
function compileRetrier(fields: Fields, isLast: boolean): Retrier {
  fields.allow(
    'ErrorEquals',
    'IntervalSeconds',
    'MaxAttempts',
    'BackoffRate',
    'MaxDelaySeconds',
    'JitterStrategy',
    'Comment',
  )
  const strategy = fields.raw.JitterStrategy ?? 'NONE'
  if (strategy !== 'FULL' && strategy !== 'NONE') throw fields.complain('JitterStrategy', 'must be "FULL" or "NONE"')
  const errors = errorNames(fields, isLast)
  return {
    errors,
    intervalSeconds: fields.number('IntervalSeconds', { min: 1, max: SECONDS }, true, 1),
    backoffRate: fields.number('BackoffRate', { min: 1, max: Number.MAX_SAFE_INTEGER }, false, 2),
    maxAttempts: fields.number('MaxAttempts', { min: 0, max: SECONDS }, true, 3),
    maxDelaySeconds: fields.number('MaxDelaySeconds', { min: 1, max: 31_622_400 }, true, 31_622_400),
    isJittered: strategy === 'FULL',
  }
}

function errorNames(fields: Fields, isLast: boolean): string[] {
  const errors = fields.list('ErrorEquals')
  if (errors.length === 0 || !errors.every((error) => typeof error === 'string'))
    throw fields.complain('ErrorEquals', 'must be a list of error names')
  if (errors.includes('States.ALL') && (errors.length > 1 || !isLast))
    throw fields.complain('ErrorEquals', 'has States.ALL, which must stand alone and in the last entry')
  return errors
}

export function compileExit(fields: Fields, around: DefinitionSurroundings, nextField = 'Next', prefix = ''): Exit {
  const { Output, End, Assign } = fields.raw
  const next = fields.raw[nextField]
  if (End !== undefined && (End !== true || next !== undefined))
    throw fields.complain('End', 'must be true, and without Next')
  if (End === undefined && (typeof next !== 'string' || !around.siblings.includes(next)))
    throw fields.complain(
      nextField,
      next === undefined ? 'must name a state, unless End is true' : `names no state beside it: '${String(next)}'`,
    )
  const compile = (value: unknown, location: string) =>
    fields.wrap(() => compileTemplate(value, `${prefix}${location}`, around.scope))
  const assign = Object.entries(Assign === undefined ? {} : fields.object('Assign')).map(
    ([variable, value]): Assignment => {
      if (!/^[\p{ID_Start}][\p{ID_Continue}]{0,79}$/u.test(variable) || variable === 'states')
        throw fields.complain('Assign', `cannot set a variable named '${variable}'`)
      if (around.scope.outer.has(variable))
        throw fields.complain('Assign', `sets '${variable}', which an outer state sets; inner states may only read it`)
      return { variable, value: compile(value, `Assign/${variable}`) }
    },
  )
  return {
    output: Output === undefined ? undefined : compile(Output, 'Output'),
    assign,
    next: next as string | undefined,
  }
}

/** Returns the variables that Assign sets in a state, its choices and its catchers, without those of inner machines. */
export function assignedVariables({ raw }: Fields): string[] {
  const parts = [raw, ...[raw.Choices, raw.Catch].flatMap((list) => (Array.isArray(list) ? list : []))]
  return parts.flatMap((part) => Object.keys((part as { Assign?: object } | null)?.Assign ?? {}))
}
