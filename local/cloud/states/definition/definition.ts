import {
  assignedVariables,
  compileChoice,
  compileExit,
  compileHandling,
  type DefinitionOptions,
  type DefinitionScope,
  type DefinitionSurroundings,
} from './definition-exits.ts'
import { DefinitionError } from './errors.ts'
import { compileTemplate, type ValueTemplate } from './expressions.ts'
import { createFields, type Fields } from './fields.ts'
import { SECONDS } from './limits.ts'
import type { Machine, State } from './machine.ts'

/**
 * Checks and compiles a definition: JSONata states and inline maps only.
 * @param definition Amazon States Language, parsed or as text
 * @throws DefinitionError naming the state and field that are not supported or that AWS refuses
 */
export function compileDefinition(definition: unknown, options: DefinitionOptions): Machine {
  const fields = createFields(typeof definition === 'string' ? parseJson(definition) : definition, 'the state machine')
  fields.allow('Comment', 'QueryLanguage', 'StartAt', 'States', 'TimeoutSeconds', 'Version')
  if (fields.raw.QueryLanguage !== 'JSONata') throw fields.complain('QueryLanguage', 'must be "JSONata" here')
  if (fields.raw.Version !== undefined && fields.raw.Version !== '1.0')
    throw fields.complain('Version', 'must be "1.0"')
  return compileMachine(fields, { ...options, names: new Set(), outer: new Set() })
}

const MACHINE_SECONDS = { min: 1, max: SECONDS }

function compileMachine(fields: Fields, scope: DefinitionScope): Machine {
  const states = fields.object('States')
  const names = Object.keys(states)
  const startAt = fields.text('StartAt')
  if (!names.includes(startAt)) throw fields.complain('StartAt', `names no state: '${startAt}'`)
  const readers = names.map((name) => createFields(states[name], `state '${name}'`))
  const assigned = new Set([...scope.outer, ...readers.flatMap(assignedVariables)])
  const compiled = readers.map((reader, index) => {
    const name = names[index] as string
    if (name.length > 80) throw new DefinitionError(`state '${name}': its name is longer than 80 characters`)
    if (scope.names.has(name)) throw new DefinitionError(`state '${name}': its name is used twice in the state machine`)
    scope.names.add(name)
    return [name, compileState(name, reader, { scope, siblings: names, assigned })] as const
  })
  return {
    startAt,
    states: new Map(compiled),
    timeoutSeconds:
      fields.raw.TimeoutSeconds === undefined ? undefined : fields.number('TimeoutSeconds', MACHINE_SECONDS, true),
  }
}

const EVERY_STATE = ['Type', 'Comment', 'QueryLanguage']
const LEAVES = ['Output', 'Assign', 'Next', 'End']
const HANDLES = ['Retry', 'Catch']

function compileState(name: string, fields: Fields, around: DefinitionSurroundings): State {
  const allow = (...more: string[]) => fields.allow(...EVERY_STATE, ...more)
  const template = (field: string): ValueTemplate | undefined =>
    fields.raw[field] === undefined
      ? undefined
      : fields.wrap(() => compileTemplate(fields.raw[field], field, around.scope))
  const exit = () => compileExit(fields, around)
  if (fields.raw.QueryLanguage !== undefined && fields.raw.QueryLanguage !== 'JSONata')
    throw fields.complain('QueryLanguage', 'must be "JSONata" here')
  const type = fields.text('Type')
  switch (type) {
    case 'Pass':
      allow(...LEAVES)
      return { name, type, exit: exit() }
    case 'Succeed':
      allow('Output')
      return { name, type, exit: { output: template('Output'), assign: [], next: undefined } }
    case 'Fail':
      allow('Error', 'Cause')
      fields.textOrExpression('Error')
      fields.textOrExpression('Cause')
      return { name, type, error: template('Error'), cause: template('Cause') }
    case 'Choice': {
      allow('Choices', 'Default', 'Output', 'Assign')
      const choices = fields.list('Choices').map((raw, index) => compileChoice(raw, index, name, around))
      if (choices.length === 0) throw fields.complain('Choices', 'must hold at least one choice')
      const otherwise = fields.raw.Default === undefined ? undefined : compileExit(fields, around, 'Default')
      return { name, type, choices, otherwise }
    }
    case 'Wait': {
      allow('Seconds', 'Timestamp', ...LEAVES)
      if ((fields.raw.Seconds === undefined) === (fields.raw.Timestamp === undefined))
        throw fields.complain('Seconds', 'or Timestamp must be given, and only one of them')
      fields.numberOrExpression('Seconds', { min: 0, max: SECONDS }, true)
      fields.timestampOrExpression('Timestamp')
      return { name, type, seconds: template('Seconds'), timestamp: template('Timestamp'), exit: exit() }
    }
    case 'Task': {
      allow('Resource', 'Arguments', 'TimeoutSeconds', ...HANDLES, ...LEAVES)
      fields.numberOrExpression('TimeoutSeconds', { min: 1, max: SECONDS }, true)
      const resource = fields.text('Resource')
      fields.wrap(() => around.scope.checkTask(resource, fields.raw.Arguments))
      return {
        name,
        type,
        resource,
        arguments: template('Arguments'),
        timeoutSeconds: template('TimeoutSeconds'),
        exit: exit(),
        ...compileHandling(fields, around),
      }
    }
    case 'Parallel': {
      allow('Branches', 'Arguments', ...HANDLES, ...LEAVES)
      const branches = fields
        .list('Branches')
        .map((raw, index) => compileInner(raw, `branch ${index} of state '${name}'`, around))
      if (branches.length === 0) throw fields.complain('Branches', 'must hold at least one branch')
      return {
        name,
        type,
        branches,
        arguments: template('Arguments'),
        exit: exit(),
        ...compileHandling(fields, around),
      }
    }
    case 'Map': {
      allow(
        'Items',
        'ItemSelector',
        'ItemProcessor',
        'MaxConcurrency',
        'ToleratedFailureCount',
        'ToleratedFailurePercentage',
        ...HANDLES,
        ...LEAVES,
      )
      fields.listOrExpression('Items')
      fields.numberOrExpression('MaxConcurrency', { min: 0, max: Number.MAX_SAFE_INTEGER }, true)
      fields.numberOrExpression('ToleratedFailureCount', { min: 0, max: Number.MAX_SAFE_INTEGER }, true)
      fields.numberOrExpression('ToleratedFailurePercentage', { min: 0, max: 100 })
      return {
        name,
        type,
        items: template('Items'),
        itemSelector: template('ItemSelector'),
        maxConcurrency: template('MaxConcurrency'),
        toleratedFailureCount: template('ToleratedFailureCount'),
        toleratedFailurePercentage: template('ToleratedFailurePercentage'),
        processor: compileInner(fields.object('ItemProcessor'), `ItemProcessor of state '${name}'`, around),
        exit: exit(),
        ...compileHandling(fields, around),
      }
    }
    default:
      throw fields.complain('Type', `is not one of Pass, Succeed, Fail, Choice, Wait, Task, Parallel, Map: '${type}'`)
  }
}

function compileInner(raw: unknown, where: string, { scope, assigned }: DefinitionSurroundings): Machine {
  const fields = createFields(raw, where)
  fields.allow('Comment', 'QueryLanguage', 'StartAt', 'States', 'ProcessorConfig')
  if (fields.raw.QueryLanguage !== undefined && fields.raw.QueryLanguage !== 'JSONata')
    throw fields.complain('QueryLanguage', 'must be "JSONata" here')
  if (fields.raw.ProcessorConfig !== undefined) {
    const config = createFields(fields.raw.ProcessorConfig, `${where}, ProcessorConfig`)
    config.allow('Mode')
    if (config.raw.Mode !== 'INLINE') throw config.complain('Mode', 'must be "INLINE" here')
  }
  return compileMachine(fields, { ...scope, outer: assigned })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DefinitionError(`the definition is not JSON: ${(error as Error).message}`)
  }
}
