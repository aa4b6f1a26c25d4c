import { describe, expect, it } from 'vitest'
import { createLocalStates, START } from '../local-states.ts'

describe('Pass and Succeed', () => {
  it('put out their input, or what Output says, and write AWS’s events', async () => {
    const laptop = createLocalStates()
    laptop.add({
      First: { Type: 'Pass', Next: 'Second' },
      Second: {
        Type: 'Pass',
        Output: { sum: '{% $states.input.a + 1 %}', text: 'as it is', list: [1, '{% 2 %}'] },
        Next: 'Done',
      },
      Done: { Type: 'Succeed', Output: '{% $merge([$states.input, {"done": true}]) %}' },
    })
    const { status, value } = await laptop.run({ a: 1 })
    expect(status).toBe('SUCCEEDED')
    expect(value).toEqual({ sum: 2, text: 'as it is', list: [1, 2], done: true })
    expect(laptop.chain()).toEqual([
      '1<0 ExecutionStarted',
      '2<0 PassStateEntered',
      '3<2 PassStateExited',
      '4<3 PassStateEntered',
      '5<4 PassStateExited',
      '6<5 SucceedStateEntered',
      '7<6 SucceedStateExited',
      '8<7 ExecutionSucceeded',
    ])
    expect(laptop.event('PassStateEntered')).toEqual({
      name: 'First',
      input: '{"a":1}',
      inputDetails: { truncated: false },
    })
  })
})

describe('Fail', () => {
  it('ends the execution with an error and a cause that may be expressions', async () => {
    const laptop = createLocalStates()
    laptop.add({
      End: { Type: 'Fail', Error: '{% $states.input.error %}', Cause: '{% "because " & $states.input.error %}' },
    })
    expect(await laptop.run({ error: 'Broken' })).toMatchObject({
      status: 'FAILED',
      error: 'Broken',
      cause: 'because Broken',
    })
    expect(laptop.chain()).toEqual(['1<0 ExecutionStarted', '2<0 FailStateEntered', '3<2 ExecutionFailed'])
  })

  it('leaves out an error and a cause that are not given', async () => {
    const laptop = createLocalStates()
    laptop.add({ End: { Type: 'Fail' } })
    const description = await laptop.run()
    expect(description).not.toHaveProperty('error')
    expect(laptop.event('ExecutionFailed')).toEqual({})
  })
})

describe('Choice', () => {
  const states = {
    Which: {
      Type: 'Choice',
      Choices: [
        { Condition: '{% $states.input.n > 10 %}', Next: 'Big', Output: 'big', Assign: { size: 'L' } },
        { Condition: '{% $states.input.n > 5 %}', Next: 'Big' },
      ],
      Default: 'Big',
      Output: 'default',
      Assign: { size: 'S' },
    },
    Big: {
      Type: 'Pass',
      Output: { from: '{% $states.input %}', size: '{% $exists($size) ? $size : null %}' },
      End: true,
    },
  }

  it.each([
    [11, { from: 'big', size: 'L' }],
    [6, { from: { n: 6 }, size: null }],
    [1, { from: 'default', size: 'S' }],
  ])('takes the first choice that holds, with that choice’s own Output and Assign (%d)', async (n, expected) => {
    const laptop = createLocalStates()
    laptop.add(states)
    expect((await laptop.run({ n })).value).toEqual(expected)
    expect(laptop.types().slice(1, 3)).toEqual(['ChoiceStateEntered', 'ChoiceStateExited'])
  })

  it('fails with States.NoChoiceMatched without a default', async () => {
    const laptop = createLocalStates()
    laptop.add({ Which: { Type: 'Choice', Choices: [{ Condition: false, Next: 'Done' }] }, Done: { Type: 'Succeed' } })
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'States.NoChoiceMatched' })
  })

  it('fails when a condition is not a boolean', async () => {
    const laptop = createLocalStates()
    laptop.add({
      Which: { Type: 'Choice', Choices: [{ Condition: '{% 1 %}', Next: 'Done' }] },
      Done: { Type: 'Succeed' },
    })
    const { error, cause } = await laptop.run()
    expect(error).toBe('States.QueryEvaluationError')
    expect(cause).toContain("Expected 'boolean', but was 'number' for value: 1")
  })
})

describe('Wait', () => {
  it.each([
    [{ Seconds: 90 }, 90_000],
    [{ Seconds: '{% $states.input.seconds %}' }, 7_000],
    [{ Timestamp: '2026-01-01T00:01:00Z' }, 60_000],
    [{ Timestamp: '{% $fromMillis($states.input.until) %}' }, 30_000],
    [{ Timestamp: '2020-01-01T00:00:00Z' }, 0],
  ])('waits by the clock: %o', async (wait, elapsed) => {
    const laptop = createLocalStates()
    laptop.add({ Pause: { Type: 'Wait', ...wait, Next: 'Done' }, Done: { Type: 'Succeed' } })
    const { startDate, stopDate } = await laptop.run({ seconds: 7, until: START + 30_000 })
    expect(Number(stopDate) - Number(startDate)).toBe(elapsed)
    expect(laptop.types().slice(1, 3)).toEqual(['WaitStateEntered', 'WaitStateExited'])
  })

  it.each(['{% -1 %}', '{% 1.5 %}', '{% "3" %}'])('fails when Seconds yields %s', async (Seconds) => {
    const laptop = createLocalStates()
    laptop.add({ Pause: { Type: 'Wait', Seconds, End: true } })
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'States.QueryEvaluationError' })
  })

  it('fails when Timestamp yields no timestamp', async () => {
    const laptop = createLocalStates()
    laptop.add({ Pause: { Type: 'Wait', Timestamp: '{% "tomorrow" %}', End: true } })
    const cause =
      "An error occurred while executing the state 'Pause' (entered at the event id #2). The Timestamp field cannot be " +
      'parsed as an ISO-8601 extended offset date-time format string: tomorrow'
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'States.QueryEvaluationError', cause })
  })

  it('fails when Timestamp is more than 24,855 days ahead', async () => {
    const laptop = createLocalStates()
    laptop.add({ Pause: { Type: 'Wait', Timestamp: '{% $fromMillis($states.input) %}', End: true } })
    const inDays = (days: number) => laptop.run(laptop.clock.now() + days * 86_400_000)
    expect((await inDays(24_856)).cause).toBe(
      "An error occurred while executing the state 'Pause' (entered at the event id #2). Wait state delay is too long.",
    )
    expect(await inDays(24_855)).toMatchObject({ status: 'SUCCEEDED' })
  })
})
