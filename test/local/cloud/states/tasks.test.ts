import { describe, expect, it } from 'vitest'
import { createLocalStates, FUNCTION, failure, MACHINE } from './local-states.ts'

const Done = { Type: 'Succeed' }
const forever = (_: unknown, signal: AbortSignal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('a Lambda by its ARN', () => {
  it('gets the arguments and gives the result, with AWS’s events', async () => {
    const laptop = createLocalStates({ task: (payload: { n: number }) => ({ n: payload.n + 1 }) })
    laptop.add({
      Do: {
        Type: 'Task',
        Resource: `${FUNCTION}:7`,
        Arguments: { n: '{% $states.input %}' },
        Output: '{% [$states.input, $states.result.n] %}',
        End: true,
      },
    })
    expect((await laptop.run(1)).value).toEqual([1, 2])
    expect(laptop.chain()).toEqual([
      '1<0 ExecutionStarted',
      '2<0 TaskStateEntered',
      '3<2 LambdaFunctionScheduled',
      '4<3 LambdaFunctionStarted',
      '5<4 LambdaFunctionSucceeded',
      '6<5 TaskStateExited',
      '7<6 ExecutionSucceeded',
    ])
    expect(laptop.event('LambdaFunctionScheduled')).toEqual({
      resource: `${FUNCTION}:7`,
      input: '{"n":1}',
      inputDetails: { truncated: false },
    })
  })

  it('gets the state’s input without Arguments, and its lack of a result is null', async () => {
    let seen: unknown
    const laptop = createLocalStates({
      task: (payload: unknown) => {
        seen = payload
      },
    })
    laptop.add({ Do: { Type: 'Task', Resource: FUNCTION, End: true } })
    expect((await laptop.run({ a: 1 })).value).toBeNull()
    expect(seen).toEqual({ a: 1 })
  })

  it('cannot change what the execution holds', async () => {
    const laptop = createLocalStates({
      task: (payload: { list: number[] }) => {
        payload.list.push(2)
        return payload
      },
    })
    laptop.add({ Do: { Type: 'Task', Resource: FUNCTION, Output: '{% $states.input %}', End: true } })
    expect((await laptop.run({ list: [1] })).value).toEqual({ list: [1] })
  })

  it('reports the function’s error by name, with the cause as Lambda’s JSON', async () => {
    const laptop = createLocalStates({
      task: () => {
        throw failure('PlatformAuthError', 'denied')
      },
    })
    laptop.add({ Do: { Type: 'Task', Resource: FUNCTION, End: true } })
    expect(await laptop.run()).toMatchObject({
      status: 'FAILED',
      error: 'PlatformAuthError',
      cause: '{"errorType":"PlatformAuthError","errorMessage":"denied"}',
    })
  })

  it('times out after TimeoutSeconds and aborts the function', async () => {
    let reason: unknown
    const laptop = createLocalStates({
      task: (payload: unknown, signal: AbortSignal) =>
        forever(payload, signal).catch((error) => {
          reason = error
        }),
    })
    laptop.add({ Do: { Type: 'Task', Resource: FUNCTION, TimeoutSeconds: '{% $states.input %}', End: true } })
    const { error, startDate, stopDate } = await laptop.run(30)
    expect([error, Number(stopDate) - Number(startDate)]).toEqual(['States.Timeout', 30_000])
    expect(laptop.chain().slice(3)).toEqual([
      '4<3 LambdaFunctionStarted',
      '5<4 LambdaFunctionTimedOut',
      '6<5 ExecutionFailed',
    ])
    expect(laptop.event('LambdaFunctionScheduled')).toMatchObject({ timeoutInSeconds: 30 })
    expect(reason).toMatchObject({ name: 'States.Timeout' })
  })
})

describe('lambda:invoke', () => {
  const Resource = 'arn:aws:states:::lambda:invoke'

  it('wraps the result as the service does', async () => {
    const laptop = createLocalStates({ task: (payload: string) => payload.toUpperCase() })
    laptop.add({
      Do: { Type: 'Task', Resource, Arguments: { FunctionName: `${FUNCTION}:3`, Payload: 'a' }, End: true },
    })
    const { SdkHttpMetadata, SdkResponseMetadata, ...own } = (await laptop.run()).value as Record<string, never>
    expect(own).toEqual({ Payload: 'A', StatusCode: 200, ExecutedVersion: '3' })
    const { RequestId } = SdkResponseMetadata as unknown as { RequestId: string }
    expect(RequestId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(SdkHttpMetadata).toMatchObject({
      AllHttpHeaders: { 'Content-Length': ['3'], 'X-Amz-Executed-Version': ['3'], 'x-amzn-RequestId': RequestId },
      HttpHeaders: { Date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'x-amzn-RequestId': RequestId },
      HttpStatusCode: 200,
    })
    expect(laptop.types()).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
      'TaskSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ])
    expect(laptop.event('TaskScheduled')).toEqual({
      resourceType: 'lambda',
      resource: 'invoke',
      region: 'eu-west-1',
      parameters: `{"FunctionName":"${FUNCTION}:3","Payload":"a"}`,
    })
  })

  it('takes a bare name, and reports a function that is not there', async () => {
    const laptop = createLocalStates({ task: () => 1 })
    laptop.add({ Do: { Type: 'Task', Resource, Arguments: { FunctionName: '{% $states.input %}' }, End: true } })
    expect((await laptop.run('task')).value).toMatchObject({ Payload: 1, StatusCode: 200, ExecutedVersion: '$LATEST' })
    expect(await laptop.run('other')).toMatchObject({ error: 'Lambda.ResourceNotFoundException' })
    expect(laptop.types()).toContain('TaskFailed')
  })

  it('refuses arguments it does not implement, also when an expression brings them', async () => {
    const laptop = createLocalStates()
    laptop.add({
      Do: { Type: 'Task', Resource, Arguments: '{% {"FunctionName": "f", "Qualifier": "1"} %}', End: true },
    })
    expect(await laptop.run()).toMatchObject({ error: 'States.Runtime', cause: expect.stringContaining('Qualifier') })
  })
})

describe('states:startExecution.sync:2', () => {
  const Resource = 'arn:aws:states:::states:startExecution.sync:2'
  const child = MACHINE.replace('show', 'watch')
  const start = {
    Type: 'Task',
    Resource,
    Arguments: { StateMachineArn: child, Name: 'w1', Input: { n: '{% $states.input %}' } },
  }

  it('runs the child and gives its description, output parsed', async () => {
    const laptop = createLocalStates()
    laptop.add({ Pause: { Type: 'Wait', Seconds: 5, Next: 'Done' }, Done }, { name: 'watch' })
    laptop.add({ Watch: { ...start, End: true } })
    const { value, stopDate, startDate } = await laptop.run(1)
    expect(value).toMatchObject({
      ExecutionArn: 'arn:aws:states:eu-west-1:000000000000:execution:watch:w1',
      Name: 'w1',
      Status: 'SUCCEEDED',
      Input: { n: 1 },
      Output: { n: 1 },
      RedriveCount: 0,
      RedriveStatus: 'NOT_REDRIVABLE',
      RedriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
    })
    expect(Number(stopDate) - Number(startDate)).toBe(5_000)
    expect(laptop.types().slice(2, 6)).toEqual(['TaskScheduled', 'TaskStarted', 'TaskSubmitted', 'TaskSucceeded'])
  })

  it('starts the child with an empty object when Input is null', async () => {
    const laptop = createLocalStates()
    laptop.add({ Done }, { name: 'watch' })
    laptop.add({ Watch: { ...start, Arguments: { StateMachineArn: child, Input: null }, End: true } })
    expect((await laptop.run()).value).toMatchObject({ Input: {}, Output: {} })
  })

  it('fails with States.TaskFailed and the description as cause when the child fails', async () => {
    const laptop = createLocalStates()
    laptop.add({ End: { Type: 'Fail', Error: 'Broken', Cause: 'why' } }, { name: 'watch' })
    laptop.add({ Watch: { ...start, End: true } })
    const { error, cause } = await laptop.run(1)
    expect(error).toBe('States.TaskFailed')
    expect(JSON.parse(cause as string)).toMatchObject({ Status: 'FAILED', Error: 'Broken', Cause: 'why' })
  })

  it('aborts the child with the parent', async () => {
    const laptop = createLocalStates()
    laptop.add({ Pause: { Type: 'Wait', Seconds: 500, Next: 'Done' }, Done }, { name: 'watch' })
    laptop.add({ Watch: { ...start, End: true } })
    const executionArn = laptop.start(1)
    await laptop.clock.advance(1_000)
    laptop.states.stopExecution({ executionArn })
    await laptop.clock.advance(0)
    const [description] = laptop.states.listExecutions({ stateMachineArn: child })
    expect(description?.status).toBe('ABORTED')
    expect(laptop.clock.nextDue()).toBeUndefined()
  })

  it('reports a used name and a missing machine as AWS does', async () => {
    const laptop = createLocalStates()
    laptop.add({ Watch: { ...start, End: true } })
    expect(await laptop.run(1)).toMatchObject({ error: 'StepFunctions.StateMachineDoesNotExistException' })
    laptop.add({ Done }, { name: 'watch' })
    await laptop.run(1)
    expect(await laptop.run(2)).toMatchObject({ error: 'StepFunctions.ExecutionAlreadyExistsException' })
  })
})

describe('states:startExecution', () => {
  it('starts an independent execution, and returns its ARN', async () => {
    const laptop = createLocalStates()
    laptop.add({ Pause: { Type: 'Wait', Seconds: 500, Next: 'Done' }, Done }, { name: 'rescue' })
    const StateMachineArn = MACHINE.replace('show', 'rescue')
    laptop.add({
      Start: {
        Type: 'Task',
        Resource: 'arn:aws:states:::states:startExecution',
        Arguments: { StateMachineArn, Name: 'r1', Input: { n: '{% $states.input %}' } },
        End: true,
      },
    })
    const { value, stopDate, startDate } = await laptop.run(1)
    expect(value).toMatchObject({ ExecutionArn: 'arn:aws:states:eu-west-1:000000000000:execution:rescue:r1' })
    expect(Number(stopDate) - Number(startDate)).toBe(0)
    expect(laptop.types().slice(2, 5)).toEqual(['TaskScheduled', 'TaskStarted', 'TaskSucceeded'])
    const status = () => laptop.states.listExecutions({ stateMachineArn: StateMachineArn }).map((one) => one.status)
    expect(status()).toEqual(['RUNNING'])
    await laptop.clock.advance(500_000)
    expect(status()).toEqual(['SUCCEEDED'])
  })
})

describe('events:putEvents', () => {
  const Do = {
    Type: 'Task',
    Resource: 'arn:aws:states:::events:putEvents',
    Arguments: { Entries: [{ Source: 'showrunner', DetailType: 'Show ended', Detail: { id: '{% $states.input %}' } }] },
    End: true,
  }

  it('puts the entries with their detail as text and the execution among their resources', async () => {
    let put: unknown
    const laptop = createLocalStates(
      {},
      {
        async putEvents(request) {
          put = request
          return { FailedEntryCount: 0, Entries: [{ EventId: '1' }] }
        },
      },
    )
    laptop.add({ Do })
    const { value, executionArn } = await laptop.run('s1')
    expect(value).toEqual({ FailedEntryCount: 0, Entries: [{ EventId: '1' }] })
    expect(put).toEqual({
      Entries: [
        { Source: 'showrunner', DetailType: 'Show ended', Detail: '{"id":"s1"}', Resources: [MACHINE, executionArn] },
      ],
    })
  })

  it('fails when an entry was not taken', async () => {
    const answer = { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InvalidArgument' }] }
    const laptop = createLocalStates({}, { putEvents: async () => answer })
    laptop.add({ Do })
    expect(await laptop.run('s1')).toMatchObject({ error: 'EventBridge.FailedEntry', cause: JSON.stringify(answer) })
  })
})
