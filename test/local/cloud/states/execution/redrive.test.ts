import { describe, expect, it } from 'vitest'
import { createLocalStates, FUNCTION, failure, START } from '../local-states.ts'

const pause = { Pause: { Type: 'Wait', Seconds: 60, Next: 'Done' }, Done: { Type: 'Succeed' } }
const code = (name: string) => expect.objectContaining({ name })

describe('redriveExecution', () => {
  it('runs on from the failed state with its input and variables', async () => {
    let isBroken = true
    const laptop = createLocalStates({
      task: (payload: unknown) => {
        if (isBroken) throw failure('Broken')
        return payload
      },
    })
    laptop.add({
      Set: { Type: 'Pass', Assign: { kept: '{% $states.input.k %}' }, Output: 'in', Next: 'Do' },
      Do: {
        Type: 'Task',
        Resource: FUNCTION,
        Arguments: '{% [$kept, $states.input, $states.context.Execution.RedriveCount] %}',
        End: true,
      },
    })
    const { executionArn, redriveStatus } = await laptop.run({ k: 'v' })
    expect(redriveStatus).toBe('REDRIVABLE')
    isBroken = false
    await laptop.clock.advance(5_000)
    expect(Number(laptop.states.redriveExecution({ executionArn }).redriveDate)).toBe(START + 5_000)
    expect(laptop.states.describeExecution({ executionArn })).toMatchObject({ status: 'RUNNING', redriveCount: 1 })
    await laptop.clock.advance(0)
    const description = laptop.states.describeExecution({ executionArn })
    expect(description).toMatchObject({ status: 'SUCCEEDED', output: '["v","in",1]', redriveStatus: 'NOT_REDRIVABLE' })
    expect(description).not.toHaveProperty('error')
    expect(laptop.chain().slice(7)).toEqual([
      '8<7 ExecutionFailed',
      '9<8 ExecutionRedriven',
      '10<9 LambdaFunctionScheduled',
      '11<10 LambdaFunctionStarted',
      '12<11 LambdaFunctionSucceeded',
      '13<12 TaskStateExited',
      '14<13 ExecutionSucceeded',
    ])
  })

  it('reruns a whole Parallel, resets the timeout, and serves aborted and timed-out ones', async () => {
    const laptop = createLocalStates()
    const branch = { StartAt: 'Pause', States: { Pause: { Type: 'Wait', Seconds: 60, End: true } } }
    laptop.add({ Both: { Type: 'Parallel', Branches: [branch], End: true } }, { TimeoutSeconds: 50 })
    const { executionArn } = await laptop.run()
    laptop.states.redriveExecution({ executionArn })
    await laptop.clock.advance(40_000)
    laptop.states.stopExecution({ executionArn })
    laptop.states.redriveExecution({ executionArn })
    await laptop.clock.advance(40_000)
    expect(laptop.states.describeExecution({ executionArn })).toMatchObject({ status: 'RUNNING', redriveCount: 2 })
    expect(laptop.types().filter((type) => type === 'ParallelStateStarted')).toHaveLength(3)
    expect(laptop.types().filter((type) => type === 'ParallelStateEntered')).toHaveLength(1)
  })

  it('refuses what runs, succeeded, or ended more than 14 days ago', async () => {
    const laptop = createLocalStates()
    laptop.add(pause)
    const executionArn = laptop.start()
    const redrive = () => laptop.states.redriveExecution({ executionArn })
    expect(redrive).toThrow(code('ExecutionNotRedrivable'))
    laptop.states.stopExecution({ executionArn })
    await laptop.clock.advance(14 * 86_400_000 + 1)
    expect(redrive).toThrow('redrivable period')
  })

  it('answers a repeated client token without another redrive', async () => {
    const laptop = createLocalStates()
    laptop.add({ End: { Type: 'Fail' } })
    const { executionArn } = await laptop.run()
    const first = laptop.states.redriveExecution({ executionArn, clientToken: 't' })
    await laptop.clock.advance(1_000)
    expect(laptop.states.redriveExecution({ executionArn, clientToken: 't' })).toEqual(first)
    expect(laptop.states.describeExecution({ executionArn }).redriveCount).toBe(1)
  })
})
