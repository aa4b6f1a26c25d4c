import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import type { FunctionSpec, InvocationContext } from '../../../../local/cloud/functions/function.ts'
import { createInvocations } from '../../../../local/cloud/functions/invocations.ts'

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:Work'
const WORK: FunctionSpec = {
  logicalId: 'Work',
  name: 'Work',
  arn: ARN,
  folder: '',
  handler: 'index.handler',
  environment: {},
  timeout: 3,
  memory: 256,
}

/** A function that fails so many times before it succeeds; `calls` are the seconds at which it was called. */
function failing(times: number) {
  const clock = createSteppedClock(0)
  const calls: { seconds: number; event: unknown; context: InvocationContext }[] = []
  const lost: string[] = []
  let ids = 0
  const invocations = createInvocations({
    clock,
    newId: () => `id-${++ids}`,
    onLost: (name, { message }) => lost.push(`${name}: ${message}`),
    async invoke(_spec, event, context) {
      calls.push({ seconds: clock.now() / 1000, event, context })
      if (calls.length <= times) throw new Error(`failure ${calls.length}`)
      return calls.length
    },
  })
  invocations.deploy({ functions: [WORK], functionVersions: [{ arn: `${ARN}:1`, functionArn: ARN }] })
  return { clock, calls, lost, invocations, seconds: () => calls.map((call) => call.seconds) }
}

describe('createInvocations', () => {
  it('finds functions by their ARN, with or without a version, and says so in the context', async () => {
    const { invocations, calls } = failing(0)
    await expect(invocations.invoke(ARN, 'a')).resolves.toBe(1)
    await invocations.invoke(`${ARN}:1`, 'b')
    const context = { functionName: 'Work', memoryLimitInMB: '256' }
    expect(calls).toMatchObject([
      {
        event: 'a',
        context: { ...context, awsRequestId: 'id-1', functionVersion: '$LATEST', invokedFunctionArn: ARN },
      },
      {
        event: 'b',
        context: { ...context, awsRequestId: 'id-2', functionVersion: '1', invokedFunctionArn: `${ARN}:1` },
      },
    ])
  })

  it('names a function that is not there as Lambda does', async () => {
    await expect(failing(0).invocations.invoke('arn:aws:lambda:a:b:function:Other', {})).rejects.toMatchObject({
      name: 'Lambda.ResourceNotFoundException',
      message: 'Function not found: arn:aws:lambda:a:b:function:Other',
    })
  })

  it('does not try again what its caller waits for', async () => {
    const { invocations, calls } = failing(1)
    await expect(invocations.invoke(ARN, {})).rejects.toThrow('failure 1')
    expect(calls).toHaveLength(1)
  })

  it('tries an event again after one and after two more minutes, under one request id', async () => {
    const { invocations, clock, calls, lost, seconds } = failing(2)
    invocations.invokeLater(ARN, 'event')
    await clock.advance(59_999)
    expect(seconds()).toEqual([0])
    await clock.advance(120_001)
    expect(seconds()).toEqual([0, 60, 180])
    await invocations.settled()
    expect(calls.map(({ event, context }) => [event, context.awsRequestId])).toEqual(Array(3).fill(['event', 'id-1']))
    expect(lost).toEqual([])
  })

  it('gives up after three attempts, and says so', async () => {
    const { invocations, clock, lost, seconds } = failing(4)
    invocations.invokeLater(`${ARN}:1`, {})
    await clock.advance(3_600_000)
    await invocations.settled()
    expect(seconds()).toEqual([0, 60, 180])
    expect(lost).toEqual(['Work: failure 3'])
  })

  it('is not settled while an event waits to be tried again', async () => {
    const { invocations, clock } = failing(1)
    let isSettled = false
    invocations.invokeLater(ARN, {})
    const settled = invocations.settled().then(() => {
      isSettled = true
    })
    await clock.advance(59_999)
    expect(isSettled).toBe(false)
    await clock.advance(1)
    await settled
  })

  it('gives up at once when it closes, and takes nothing any more', async () => {
    const { invocations, clock, lost, calls } = failing(1)
    invocations.invokeLater(ARN, {})
    await clock.advance(1000)
    invocations.close()
    await invocations.settled()
    invocations.invokeLater(ARN, {})
    expect(clock.nextDue()).toBeUndefined()
    expect([calls.length, lost]).toEqual([1, []])
  })
})
