import { createSteppedClock } from '../../lib/clock.ts'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { createStepFunctions } from '../../local/cloud/states/step-functions.ts'
import { createMediaOff } from '../../local/sandbox/media/media-off.ts'
import { createSandbox } from '../../local/sandbox/sandbox.ts'
import { createQuiescence } from '../../local/simulation/scheduling/quiescence.ts'
import { createRandom } from '../../local/simulation/scheduling/random.ts'
import { createOrderScheduler } from '../../local/simulation/scheduling/scheduler.ts'
import { usageOf } from './usage.ts'

export type PollHarness = ReturnType<typeof openPollHarness>

interface PolledResource {
  readonly kind: 'archive' | 'broadcast'
  readonly id: string
}

/** The function that reads the status of one resource. */
const POLL = 'arn:aws:lambda:us-east-1:000000000000:function:poll'
const POLL_LOOP = 'arn:aws:states:us-east-1:000000000000:stateMachine:poll-loop'

/** The simplest way to await the end of an archive or broadcast: poll every five seconds. */
const pollLoop = {
  QueryLanguage: 'JSONata',
  StartAt: 'Wait',
  States: {
    Wait: { Type: 'Wait', Seconds: 5, Next: 'Poll' },
    Poll: {
      Type: 'Task',
      Resource: POLL,
      Arguments: '{% $states.context.Execution.Input %}',
      Next: 'Over?',
    },
    'Over?': {
      Type: 'Choice',
      Choices: [{ Condition: '{% $states.input.over %}', Next: 'Over' }],
      Default: 'Wait',
    },
    Over: { Type: 'Succeed' },
  },
} as const

const PLATFORM = 'http://platform.invalid'
/** Random streams of one seed. */
const random = (purpose: string) => createRandom(1, purpose)

/** Opens the sandbox and an interpreter of one machine, in this process and on a stepped clock. */
export function openPollHarness() {
  const quiescence = createQuiescence()
  const clock = createSteppedClock(Date.UTC(2030, 0, 1))
  const media = createMediaOff(clock)
  const sandbox = createSandbox({ clock, random: random('sandbox').bytes, media, publicUrl: () => PLATFORM })
  const client = createPlatformClient({
    baseUrl: PLATFORM,
    ...sandbox.project,
    clock,
    random: random('client').next,
    fetch: (input, init) => sandbox.fetch(new Request(input, init)),
  })

  const observe = async ({ kind, id }: PolledResource) => {
    const response =
      kind === 'archive' ? client.getArchive({ archiveId: id }) : client.getBroadcast({ broadcastId: id })
    const { status } = await response
    return { over: status !== 'started' && status !== 'paused' }
  }
  const onEnd = new Map<string, () => void>()
  const stepFunctions = createStepFunctions({
    clock,
    random: random('machines').next,
    region: 'us-east-1',
    account: '000000000000',
    invoke: (_arn, resource) => observe(resource as PolledResource),
    onStatusChange: ({ status, executionArn }) => status !== 'RUNNING' && onEnd.get(executionArn)?.(),
  })
  stepFunctions.addMachine({ arn: POLL_LOOP, name: 'poll-loop', definition: pollLoop })
  const executions: { readonly executionArn: string }[] = []
  const runOnce = async (resource: PolledResource) => {
    const execution = stepFunctions.startExecution({ stateMachineArn: POLL_LOOP, input: JSON.stringify(resource) })
    executions.push(execution)
    await new Promise<void>((resolve) => onEnd.set(execution.executionArn, resolve))
    const isDone = stepFunctions.describeExecution(execution).status === 'SUCCEEDED'
    return { isDone, events: stepFunctions.executionHistory(execution).length }
  }

  return {
    clock,
    client,
    /** Creates a session with a participant, and returns its id. */
    async openSession() {
      const [session] = await client.createSession({})
      const sessionId = session?.session_id ?? ''
      const participants = `http://localhost/sandbox/sessions/${sessionId}/participants`
      await sandbox.fetch(new Request(participants, { method: 'POST', body: '{}' }))
      return sessionId
    },
    /** Polls a resource until it has ended, and returns the number of history events. */
    async poll(resource: PolledResource) {
      let total = 0
      for (;;) {
        const { isDone, events } = await runOnce(resource)
        total += events
        if (isDone) return total
      }
    },
    usage: () => usageOf(stepFunctions, executions),
    /** Steps the clock until `act` is done. */
    drive: <T>(act: () => Promise<T>) =>
      createOrderScheduler({ quiescence, clock, random: random('order'), onStep: () => false }).drive(act),
    [Symbol.dispose]() {
      void stepFunctions.close() // everything is in memory
      void sandbox.close()
      quiescence.close()
    },
  }
}
