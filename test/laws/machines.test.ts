import validate from 'asl-validator'
import { describe, expect, it } from 'vitest'
import { type Machine, readMachines, type Scope, statesOf } from './machines.ts'
import { deadEnds, uncaughtTasks } from './reachability.ts'

const machines = readMachines()

/** Fields of JSONPath, the older query language. */
const JSONPATH_FIELDS =
  /^(.+\.\$|(Input|Output|Result|Items|Seconds|Timestamp|TimeoutSeconds|Cause|Error)Path|Parameters|ResultSelector|Iterator)$/

/** Every field of a JSON value, however deep. */
const fieldsOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...fieldsOf(inner)])
    : []

describe.each(machines)('the $name machine', (machine) => {
  const { definition, deployed } = machine

  it('is accepted by the validator as it is deployed, with nothing left to fill in', () => {
    expect(JSON.stringify(deployed)).not.toMatch(/\$\{/)
    const { isValid, errorsText } = validate(structuredClone(deployed))
    expect(isValid, errorsText('\n')).toBe(true)
  })

  it('speaks JSONata only', () => {
    expect(definition.QueryLanguage).toBe('JSONata')
    expect(statesOf(definition).filter(({ state }) => 'QueryLanguage' in state)).toEqual([])
    expect(fieldsOf(definition).filter((field) => JSONPATH_FIELDS.test(field))).toEqual([])
  })

  it('ends within a time of its own', () => {
    expect(definition.TimeoutSeconds).toBeGreaterThan(0)
  })

  it('gives every task a timeout and retries', () => {
    const bare = statesOf(definition).filter(
      ({ state }) => state.Type === 'Task' && !(state.TimeoutSeconds && (state.Retry as unknown[] | undefined)?.length),
    )
    expect(bare.map(({ title }) => title)).toEqual([])
  })

  it('says in words what each of its branches is for', () => {
    const branching = statesOf(definition).filter(({ state }) => state.Choices || state.Catch || state.Branches)
    expect(branching.flatMap(({ title, state }) => (state.Comment ? [] : title))).toEqual([])
  })

  it('leaves no failure of a task uncaught', () => {
    expect(uncaughtTasks(machine, machines)).toEqual([])
  })

  it('comes to an end from every state, and to every state from its start', () => {
    expect(deadEnds(definition)).toEqual([])
  })
})

describe('validate', () => {
  it('refuses a machine that goes on to nowhere', () => {
    expect(validate({ StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' } } }).isValid).toBe(false)
  })
})

const scope = (States: Scope['States'], StartAt = Object.keys(States)[0] ?? ''): Scope => ({ StartAt, States })
const machineOf = (name: string, definition: Scope): Machine => ({
  name,
  definition: { ...definition },
  deployed: { ...definition },
})
const caught = [{ ErrorEquals: ['States.ALL'], Next: 'End' }]
const End = { Type: 'Succeed' }

describe('deadEnds', () => {
  it('finds a state nothing leads to', () => {
    expect(deadEnds(scope({ A: { Type: 'Task', Next: 'End' }, B: { Type: 'Pass', End: true }, End }))).toEqual([
      'Nothing leads to "B".',
    ])
  })

  it('finds a loop without an end, also inside a branch', () => {
    const loop = scope({ A: { Type: 'Wait', Next: 'B' }, B: { Type: 'Task', Next: 'A' } })
    expect(deadEnds(scope({ P: { Type: 'Parallel', Branches: [loop], End: true } }))).toEqual([
      '"A" has no way to an end.',
      '"B" has no way to an end.',
    ])
  })

  it('finds a choice without a default', () => {
    expect(deadEnds(scope({ C: { Type: 'Choice', Choices: [{ Next: 'End' }] }, End }))).toHaveLength(1)
  })
})

describe('uncaughtTasks', () => {
  const parent = (Catch?: typeof caught) =>
    machineOf(
      'parent',
      scope({
        Run: { Type: 'Task', Arguments: { StateMachineArn: '${ChildMachine}' }, Next: 'End', ...(Catch && { Catch }) },
        End,
      }),
    )
  const child = machineOf('child', scope({ Work: { Type: 'Task', End: true } }))

  it('looks at a Catch around a branch, which must be for every error', () => {
    const branch = scope({ Work: { Type: 'Task', End: true } })
    const around = (Catch: typeof caught) =>
      machineOf('one', scope({ P: { Type: 'Parallel', Branches: [branch], Catch, Next: 'End' }, End }))
    expect(uncaughtTasks(around(caught), [])).toEqual([])
    expect(uncaughtTasks(around([{ ErrorEquals: ['States.Timeout'], Next: 'End' }]), [])).toEqual(['Work'])
  })

  it('looks at the state that runs a machine as its child', () => {
    expect(uncaughtTasks(child, [parent(caught), child])).toEqual([])
    expect(uncaughtTasks(child, [parent(), child])).toEqual(['Work'])
    expect(uncaughtTasks(child, [child])).toEqual(['Work'])
  })
})
