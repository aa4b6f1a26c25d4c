import { describe, expect, it } from 'vitest'
import { createLocalStates, FUNCTION, MACHINE } from '../local-states.ts'

const End = { End: true }
const inner = { StartAt: 'In', States: { In: { Type: 'Succeed' } } }

describe('addMachine', () => {
  it.each([
    ['HeartbeatSeconds', { Type: 'Task', Resource: FUNCTION, HeartbeatSeconds: 1, ...End }],
    ['Credentials', { Type: 'Task', Resource: FUNCTION, Credentials: {}, ...End }],
    ['ResultPath', { Type: 'Pass', ResultPath: '$.a', ...End }],
    ['Parameters', { Type: 'Pass', Parameters: {}, ...End }],
    ['Result', { Type: 'Pass', Result: 1, ...End }],
    ['InputPath', { Type: 'Succeed', InputPath: '$' }],
    ['SecondsPath', { Type: 'Wait', SecondsPath: '$.s', ...End }],
    ['CausePath', { Type: 'Fail', CausePath: '$.c' }],
    ['Retry', { Type: 'Pass', Retry: [], ...End }],
    ['ItemReader', { Type: 'Map', ItemProcessor: inner, ItemReader: {}, ...End }],
    ['ItemBatcher', { Type: 'Map', ItemProcessor: inner, ItemBatcher: {}, ...End }],
    ['ResultWriter', { Type: 'Map', ItemProcessor: inner, ResultWriter: {}, ...End }],
    ['Iterator', { Type: 'Map', Iterator: inner, ...End }],
    ['Mode', { Type: 'Map', ItemProcessor: { ...inner, ProcessorConfig: { Mode: 'DISTRIBUTED' } }, ...End }],
    ['QueryLanguage', { Type: 'Pass', QueryLanguage: 'JSONPath', ...End }],
    ['Type', { Type: 'Activity', ...End }],
    ['Resource', { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', Arguments: {}, ...End }],
    ['Resource', { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken', Arguments: {}, ...End }],
    ['Resource', { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution.sync', Arguments: {}, ...End }],
    ['Resource', { Type: 'Task', Resource: 'arn:aws:states:::events:putEvents', Arguments: { Entries: [] }, ...End }],
    ['Arguments', { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', Arguments: { Payload: 1 }, ...End }],
    [
      'Arguments',
      {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: { FunctionName: 'f', LogType: 'x' },
        ...End,
      },
    ],
    ['Next', { Type: 'Pass', Next: 'Nowhere' }],
    ['Next', { Type: 'Pass' }],
    ['End', { Type: 'Pass', Next: 'State', End: true }],
    ['Choices', { Type: 'Choice', Choices: [], Default: 'State' }],
    ['Condition', { Type: 'Choice', Choices: [{ Condition: 'yes', Next: 'State' }] }],
    ['Variable', { Type: 'Choice', Choices: [{ Variable: '$.a', IsPresent: true, Next: 'State' }] }],
    ['Seconds', { Type: 'Wait', ...End }],
    ['Seconds', { Type: 'Wait', Seconds: -1, ...End }],
    ['Timestamp', { Type: 'Wait', Timestamp: '2026-01-01', ...End }],
    ['TimeoutSeconds', { Type: 'Task', Resource: FUNCTION, TimeoutSeconds: 0, ...End }],
    ['Items', { Type: 'Map', Items: {}, ItemProcessor: inner, ...End }],
    ['MaxConcurrency', { Type: 'Map', MaxConcurrency: -1, ItemProcessor: inner, ...End }],
    ['ToleratedFailurePercentage', { Type: 'Map', ToleratedFailurePercentage: 101, ItemProcessor: inner, ...End }],
    ['Branches', { Type: 'Parallel', Branches: [], ...End }],
    ['ErrorEquals', { Type: 'Task', Resource: FUNCTION, Retry: [{ ErrorEquals: [] }], ...End }],
    ['ErrorEquals', { Type: 'Task', Resource: FUNCTION, Retry: [{ ErrorEquals: ['States.ALL', 'A'] }], ...End }],
    [
      'IntervalSeconds',
      { Type: 'Task', Resource: FUNCTION, Retry: [{ ErrorEquals: ['A'], IntervalSeconds: '{% 1 %}' }], ...End },
    ],
    [
      'JitterStrategy',
      { Type: 'Task', Resource: FUNCTION, Retry: [{ ErrorEquals: ['A'], JitterStrategy: 'SOME' }], ...End },
    ],
    [
      'ResultPath',
      { Type: 'Task', Resource: FUNCTION, Catch: [{ ErrorEquals: ['A'], Next: 'State', ResultPath: '$' }], ...End },
    ],
    ['Output', { Type: 'Pass', Output: '{% 1 + %}', ...End }],
    ['Output', { Type: 'Pass', Output: '{% 1 ', ...End }],
    ['Output', { Type: 'Pass', Output: '{% $states.input.a ?: 1 %}', ...End }],
    ['Output', { Type: 'Pass', Output: '{% $states.input.a ?? 1 %}', ...End }],
    ['Output/a[0]', { Type: 'Pass', Output: { a: ['{% $eval("1") %}'] }, ...End }],
    ['Assign', { Type: 'Pass', Assign: { states: 1 }, ...End }],
    ['Assign', { Type: 'Pass', Assign: { 'a-b': 1 }, ...End }],
  ])('refuses %s in %o, naming machine, state and field', (field, state) => {
    const laptop = createLocalStates()
    expect(() => laptop.add({ State: state })).toThrow("State machine 'show', ")
    expect(() => laptop.add({ State: state })).toThrow("tate 'State'")
    expect(() => laptop.add({ State: state })).toThrow(`ield '${field}`)
  })

  it.each([
    ['a branch', (Branch: object) => ({ Type: 'Parallel', Branches: [Branch] })],
    ['an iteration', (ItemProcessor: object) => ({ Type: 'Map', ItemProcessor })],
  ])('refuses to assign an outer variable in %s, at any depth and by any part of a state', (_what, around) => {
    const laptop = createLocalStates()
    const within = (state: object) => ({ StartAt: 'In', States: { In: state, Else: { Type: 'Succeed' } } })
    const deep = {
      StartAt: 'Mid',
      States: { Mid: { ...around(within({ Type: 'Pass', ...End, Assign: { x: 2 } })), ...End } },
    }
    const parts = [
      within({ Type: 'Pass', Assign: { x: 2 }, ...End }),
      within({ Type: 'Choice', Choices: [{ Condition: true, Next: 'Else', Assign: { x: 2 } }] }),
      within({
        Type: 'Task',
        Resource: FUNCTION,
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Else', Assign: { x: 2 } }],
        ...End,
      }),
      deep,
    ]
    for (const part of parts) {
      // Set after it: AWS looks at the whole definition, not at the order in which it runs.
      const states = { Both: { ...around(part), Next: 'Set' }, Set: { Type: 'Pass', Assign: { x: 1 }, End: true } }
      expect(() => laptop.add(states)).toThrow(/state 'In'.*field 'Assign' sets 'x', which an outer state sets/)
    }
  })

  it('refuses a name that is used twice, also in an inner machine', () => {
    const laptop = createLocalStates()
    expect(() => laptop.add({ In: { Type: 'Parallel', Branches: [inner], End: true } })).toThrow(
      "'In': its name is used twice",
    )
  })

  it.each([
    [{ QueryLanguage: 'JSONPath' }, 'QueryLanguage'],
    [{ QueryLanguage: undefined }, 'QueryLanguage'],
    [{ StartAt: 'Nowhere' }, 'StartAt'],
    [{ TimeoutSeconds: 0 }, 'TimeoutSeconds'],
    [{ Version: '2.0' }, 'Version'],
    [{ Other: 1 }, 'Other'],
  ])('refuses %o of the state machine', (more, field) => {
    const { states } = createLocalStates()
    const definition = { QueryLanguage: 'JSONata', StartAt: 'In', States: inner.States, ...more }
    expect(() => states.addMachine({ arn: MACHINE, name: 'show', definition })).toThrow(
      `the state machine: field '${field}'`,
    )
  })

  it.each(['?:', '??'])('names the operator %s, which JSONata 2.0 lacks', (operator) => {
    const complaint = `uses ${operator}, which JSONata 2.0 lacks: Step Functions runs 2.0.6`
    const add = (expression: string) =>
      createLocalStates().add({ In: { Type: 'Pass', Output: `{% ${expression} %}`, End: true } })
    expect(() => add(`$states.input.a ${operator} 1`)).toThrow(complaint)
    expect(() => add(`"a ${operator} b" & /* ${operator} */ "c"`)).not.toThrow()
    expect(() => add(`"a ${operator} b" &`)).not.toThrow(complaint)
  })

  it('takes the definition as text, and refuses text that is not JSON', () => {
    const { states } = createLocalStates()
    const definition = JSON.stringify({ QueryLanguage: 'JSONata', ...inner })
    states.addMachine({ arn: MACHINE, name: 'show', definition })
    expect(states.describeStateMachine({ stateMachineArn: MACHINE })).toMatchObject({
      name: 'show',
      definition,
      status: 'ACTIVE',
    })
    expect(() => states.addMachine({ arn: MACHINE, name: 'show', definition: '{' })).toThrow(
      'the definition is not JSON',
    )
  })

  it('leaves running executions with the definition they began with', async () => {
    const laptop = createLocalStates()
    laptop.add({ Pause: { Type: 'Wait', Seconds: 5, Next: 'Old' }, Old: { Type: 'Succeed', Output: 'old' } })
    const executionArn = laptop.start()
    await laptop.clock.advance(1_000)
    laptop.add({ New: { Type: 'Succeed', Output: 'new' } })
    await laptop.clock.advance(9_000)
    expect(laptop.states.describeExecution({ executionArn }).output).toBe('"old"')
    expect((await laptop.run()).value).toBe('new')
  })
})
