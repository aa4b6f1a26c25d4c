import { describe, expect, it, onTestFinished } from 'vitest'
import { createRunningPublishes } from '../../../bin/shows/running-publishes.ts'
import { listen } from '../../../local/cloud/server.ts'

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:publish'
const arnOf = (name: string) => `${MACHINE.replace('stateMachine', 'execution')}:${name}`
const summaryOf = (name: string) => ({
  name,
  executionArn: arnOf(name),
  stateMachineArn: MACHINE,
  status: 'RUNNING',
  startDate: 1,
})

/** Answers as Step Functions do while two publishes run, of which one has entered states. */
async function answer(request: Request): Promise<Response> {
  const operation = request.headers.get('x-amz-target')?.split('.')[1]
  const input = (await request.json()) as Record<string, unknown>
  if (operation === 'ListExecutions') {
    expect(input).toMatchObject({ stateMachineArn: MACHINE, statusFilter: 'RUNNING' })
    return Response.json({ executions: [summaryOf('one-etag'), summaryOf('two-etag-r2'), summaryOf('other-etag')] })
  }
  expect(input).toMatchObject({ reverseOrder: true })
  const entered = { id: 2, timestamp: 1, type: 'MapStateEntered', stateEnteredEventDetails: { name: 'Cut pieces' } }
  const started = { id: 1, timestamp: 1, type: 'ExecutionStarted' }
  return Response.json({ events: input.executionArn === arnOf('one-etag') ? [entered, started] : [started] })
}

describe('createRunningPublishes', () => {
  it('returns the last entered state of the publishes of some archives', async () => {
    const { url, close } = await listen(answer)
    onTestFinished(close)
    const access = { endpoint: url, region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 's' } }
    using publishes = createRunningPublishes(access, MACHINE)
    expect(await publishes.statesOf(['one', 'two', 'three'])).toEqual(
      new Map([
        ['one', 'Cut pieces'],
        ['two', 'Start'],
      ]),
    )
  })
})
