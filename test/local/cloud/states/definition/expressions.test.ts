import { describe, expect, it } from 'vitest'
import { createLocalStates, FUNCTION, failure, MACHINE } from '../local-states.ts'

/** Evaluates an expression for an input. */
async function evaluate(expression: string, input: unknown = {}) {
  const laptop = createLocalStates()
  laptop.add({ Ask: { Type: 'Pass', Output: `{% ${expression} %}`, End: true } })
  const { value, error, cause } = await laptop.run(input)
  if (error) throw new Error(`${error}: ${cause}`)
  return value
}

describe('query functions', () => {
  it.each([
    ['$partition([1,2,3,4,5], 2)', [[1, 2], [3, 4], [5]]],
    ['$partition([0], 3)', [[0]]],
    ['$range(0, 9, 3)', [0, 3, 6, 9]],
    ['$range(3, 1, -1)', [3, 2, 1]],
    ['$range(1, 9, 9)', 1],
    ["$hash('a', 'MD5')", '0cc175b9c0f1b6a831c399e269772661'],
    ["$hash('a', 'SHA-1')", '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
    [`$parse('{"a":[1]}').a`, [1]],
    ['$now()', '2026-01-01T00:00:00.000Z'],
    ["$now('[Y]-[M01]')", '2026-01'],
    ['$millis()', Date.parse('2026-01-01T00:00:00Z')],
    ["$toMillis('13:45', '[H01]:[m01]')", Date.parse('2026-01-01T13:45:00Z')],
    ["$toMillis('2026-01-01T00:00:01Z')", Date.parse('2026-01-01T00:00:01Z')],
    ['[$states.input.list[$ > 2]]', [3]],
    ['$map($states.input.list, function($n) { $n * 2 })', [2, 4, 6]],
  ])('%s', async (expression, expected) => {
    expect(await evaluate(expression, { list: [1, 2, 3] })).toEqual(expected)
  })

  it.each([
    ['$states.input.text', 'a'],
    ['$states.input.inner.count', 0],
    ['$states.input.inner', { count: 0, none: null, list: [[1]] }],
    ['$states.input.inner.list', [[1]]],
    ['$states.input.inner.none', null],
    ['$states.input.rows.name', ['a', 'b']],
    ['$states.input.single.name', 'c'],
    ['$states.input.empty', []],
  ])('%s follows a path as JSONata does', async (expression, expected) => {
    const inner = { count: 0, none: null, list: [[1]] }
    const rows = [{ name: 'a' }, { name: 'b' }]
    const input = { text: 'a', inner, rows, single: [{ name: 'c' }], empty: [] }
    expect(await evaluate(expression, input)).toEqual(expected)
    expect(await evaluate(`(${expression})`, input)).toEqual(expected)
  })

  it('draw from the seeded source only', async () => {
    const all = '[$random(), $uuid(), $shuffle([1..9])]'
    expect(await evaluate(all)).toEqual(await evaluate(all))
    expect(await evaluate('$uuid()')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await evaluate('[$random() != $random(), $random(7) = $random(7)]')).toEqual([true, true])
  })

  it.each([
    ['$missing', 'returned nothing (undefined)'],
    ['$states.input.missing', 'returned nothing (undefined)'],
    ['1 + "a"', 'threw an error during evaluation. T2002'],
    ['$hash("a", "CRC")', '$hash knows MD5'],
    ['$range(0, 1, 0)', 'a step other than 0'],
    ['$partition([1], 0)', 'a chunk size'],
    ['function($x) { $x }', 'unsupported result type'],
    ['$sum', 'unsupported result type'],
  ])('%s fails the state', async (expression, problem) => {
    await expect(evaluate(expression)).rejects.toThrow(problem)
  })
})

describe('$states', () => {
  it('holds the context object', async () => {
    const laptop = createLocalStates()
    laptop.add({
      Pause: { Type: 'Wait', Seconds: 5, Next: 'Ask' },
      Ask: { Type: 'Pass', Output: '{% $states.context %}', End: true },
    })
    const { value, executionArn, name } = await laptop.run({ a: 1 })
    expect(value).toEqual({
      Execution: {
        Id: executionArn,
        Input: { a: 1 },
        Name: name,
        RedriveCount: 0,
        RoleArn: 'arn:aws:iam::000000000000:role/show',
        StartTime: '2026-01-01T00:00:00.000Z',
      },
      State: { EnteredTime: '2026-01-01T00:00:05.000Z', Name: 'Ask' },
      StateMachine: { Id: MACHINE, Name: 'show' },
    })
  })
})

describe('$states.context', () => {
  it('holds item and index in every state of an iteration, and the attempts of the state itself', async () => {
    let calls = 0
    const laptop = createLocalStates({
      task: (payload: unknown) => {
        if (++calls < 3) throw failure('Again')
        return payload
      },
    })
    laptop.add({
      Each: {
        Type: 'Map',
        MaxConcurrency: 1,
        ItemProcessor: {
          StartAt: 'Pause',
          States: {
            Pause: { Type: 'Wait', Seconds: 1, Next: 'Ask' },
            Ask: {
              Type: 'Task',
              Resource: FUNCTION,
              Arguments: '{% $states.context.Map.Item %}',
              Retry: [{ ErrorEquals: ['Again'], IntervalSeconds: 2, BackoffRate: 1 }],
              Output: {
                item: '{% $states.result %}',
                retries: '{% $states.context.State.RetryCount %}',
                entered: '{% $states.context.State.EnteredTime %}',
                execution: '{% $states.context.Execution.Name %}',
              },
              End: true,
            },
          },
        },
        End: true,
      },
    })
    const { value, name: execution } = await laptop.run(['a', 'b'])
    expect(value).toEqual([
      { item: { Index: 0, Value: 'a' }, retries: 2, entered: '2026-01-01T00:00:01.000Z', execution },
      { item: { Index: 1, Value: 'b' }, retries: 0, entered: '2026-01-01T00:00:06.000Z', execution },
    ])
  })
})

describe('variables', () => {
  const inner = (name: string) => ({ StartAt: name, States: { [name]: { Type: 'Pass', End: true } } })
  const caught = [{ ErrorEquals: ['States.ALL'], Next: 'Show', Assign: { set: '{% $states.errorOutput.Error %}' } }]
  const Resource = FUNCTION

  it.each<[string, object, unknown]>([
    ['a Task', { Type: 'Task', Resource, Assign: { set: '{% $states.result %}' } }, 'done'],
    ['a Pass', { Type: 'Pass', Assign: { set: '{% $states.input %}' } }, 'in'],
    ['a Wait', { Type: 'Wait', Seconds: 1, Assign: { set: '{% $states.input %}' } }, 'in'],
    ['a Parallel', { Type: 'Parallel', Branches: [inner('In')], Assign: { set: '{% $states.result %}' } }, ['in']],
    [
      'a Map',
      { Type: 'Map', Items: [1, 2], ItemProcessor: inner('In'), Assign: { set: '{% $states.result %}' } },
      [1, 2],
    ],
    ['a catcher of a Task', { Type: 'Task', Resource, Arguments: 'fail', Catch: caught }, 'Broken'],
    [
      'a catcher of a Map',
      { Type: 'Map', Items: '{% 1 %}', ItemProcessor: inner('In'), Catch: caught },
      'States.QueryEvaluationError',
    ],
    [
      'a catcher of a Parallel',
      { Type: 'Parallel', Arguments: '{% $gone %}', Branches: [inner('In')], Catch: caught },
      'States.QueryEvaluationError',
    ],
  ])('are assigned by %s', async (_what, state, expected) => {
    const task = (payload: unknown) => {
      if (payload === 'fail') throw failure('Broken')
      return 'done'
    }
    const laptop = createLocalStates({ task })
    laptop.add({
      First: { Type: 'Pass', Assign: { set: 'before' }, Next: 'Second' },
      Second: { ...state, Next: 'Show' },
      Show: { Type: 'Succeed', Output: '{% $set %}' },
    })
    expect((await laptop.run('in')).value).toEqual(expected)
  })

  it.each([
    [true, 'rule'],
    [false, 'default'],
  ])('are assigned by the rule of a Choice that holds, or by its default', async (Condition, expected) => {
    const laptop = createLocalStates()
    laptop.add({
      Choose: {
        Type: 'Choice',
        Choices: [{ Condition, Assign: { set: 'rule' }, Next: 'Show' }],
        Default: 'Show',
        Assign: { set: 'default' },
      },
      Show: { Type: 'Succeed', Output: '{% $set %}' },
    })
    expect((await laptop.run()).value).toBe(expected)
  })

  it('are assigned from the old values and seen by later states', async () => {
    const laptop = createLocalStates()
    laptop.add({
      First: { Type: 'Pass', Assign: { a: 1, b: 2 }, Next: 'Swap' },
      Swap: { Type: 'Pass', Assign: { a: '{% $b %}', b: '{% $a %}' }, Output: '{% [$a, $b] %}', Next: 'Show' },
      Show: { Type: 'Pass', Output: { before: '{% $states.input %}', after: '{% [$a, $b] %}' }, End: true },
    })
    expect((await laptop.run()).value).toEqual({ before: [1, 2], after: [2, 1] })
    expect(laptop.event('PassStateExited')).toMatchObject({
      assignedVariables: { a: '1', b: '2' },
      assignedVariablesDetails: { truncated: false },
    })
  })

  it('of an outer scope are read inside, while those set inside end there', async () => {
    const laptop = createLocalStates()
    const branch = (name: string) => ({
      StartAt: name,
      States: {
        [name]: { Type: 'Pass', Assign: { inner: '{% $outer & $states.input %}' }, Next: `${name}2` },
        [`${name}2`]: { Type: 'Pass', Output: '{% $inner %}', End: true },
      },
    })
    laptop.add({
      Set: { Type: 'Pass', Assign: { outer: 'o' }, Next: 'Both' },
      Both: {
        Type: 'Parallel',
        Branches: [branch('A'), branch('B')],
        Assign: { results: '{% $states.result %}' },
        Next: 'Show',
      },
      Show: { Type: 'Pass', Output: { seen: '{% $exists($inner) %}', results: '{% $results %}' }, End: true },
    })
    expect((await laptop.run('i')).value).toEqual({ seen: false, results: ['oi', 'oi'] })
  })
})

describe('payload limits', () => {
  const long = '{% $pad("", 262143, "é") %}'

  it.each([
    ['an output', { Type: 'Pass', Output: long, End: true }],
    ['a variable', { Type: 'Pass', Assign: { text: long }, End: true }],
    [
      'arguments',
      { Type: 'Task', Resource: 'arn:aws:lambda:eu-west-1:000000000000:function:task', Arguments: long, End: true },
    ],
    [
      'a result',
      {
        Type: 'Task',
        Resource: 'arn:aws:lambda:eu-west-1:000000000000:function:task',
        Arguments: 'long',
        Output: 1,
        End: true,
      },
    ],
  ])('refuse %s of more than 256 KiB', async (_, state) => {
    const laptop = createLocalStates({ task: () => 'x'.repeat(262_144) })
    laptop.add({ Big: state })
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' })
  })

  it('allow 256 KiB exactly', async () => {
    expect(await evaluate('$length($pad("", 262142, "x"))')).toBe(262_142)
    expect(await evaluate('$pad("", 262142, "x")')).toHaveLength(262_142)
  })
})
