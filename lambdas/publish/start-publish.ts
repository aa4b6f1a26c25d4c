import type { Services } from '../../lib/services.ts'
import { attemptAfter, publishExecutionName } from '../../lib/show/document/fields/names.ts'
import { parseArchiveKey } from '../../lib/show/state/keys.ts'
import { publishInput } from '../../lib/tasks/publish-ready.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import type { Log } from '../middleware/log.ts'
import { taskHandler } from '../middleware/task.ts'

type Event = TaskInput<'startPublish'>
type Arrived = Exclude<Event, BrokenOff>
type BrokenOff = Extract<Event, { 'detail-type': 'Step Functions Execution Status Change' }>
type Started = TaskOutput<'startPublish'>
type Reach = Pick<Services, 'publishExecutions'>

/** Of one arrival; who wants more asks for a rebuild. */
const MAX_ATTEMPTS = 9

/** Of what broke off, since nobody asks for the second and the third: what breaks off three times would do so a fourth time. */
const MAX_UNASKED_ATTEMPTS = 3

/**
 * Of the errors with which the machine itself fails, those after which nothing is left to be done unasked: the manifest says
 * why, or the recording is published and only what joins it to others is missing. After any other (`Unpublished`, the
 * service's own such as that of a full history) the owner was not notified of anything; after `PublishThrottled` the manifest
 * says that the account was busy, and the next attempt may find it less so.
 */
const TOLD: readonly unknown[] = ['PublishFailed', 'NotJoined']

/**
 * An event that comes again after its execution has failed starts another, and so does the end of an execution that broke
 * off. Step Functions' own redrive would not do: it resumes where the execution failed, which is the state that says so, once
 * what went wrong stands in the manifest.
 */
export async function startPublish(event: Event, services: Reach, log: Pick<Log, 'error'>): Promise<Started> {
  const started = isBrokenOff(event) ? await startOver(event, services) : await startArrived(event, services)
  if (started.outcome === 'given up') log.error('given up', { executionName: started.executionName })
  return started
}

const isBrokenOff = (event: Event): event is BrokenOff =>
  event['detail-type'] === 'Step Functions Execution Status Change'

async function startArrived({ detail }: Arrived, { publishExecutions }: Reach): Promise<Started> {
  const { key, etag } = detail.object
  const archive = parseArchiveKey(key)
  if (!archive) return { outcome: 'not an archive', executionName: '' }
  const nameOf = (attempt: number) => publishExecutionName(archive.archiveId, etag, attempt)
  const input = { bucket: detail.bucket.name, key, etag }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const executionName = nameOf(attempt)
    if ((await publishExecutions.start(executionName, input)) === 'started')
      return { outcome: attempt === 1 ? 'started' : 'started again', executionName }
    const standing = await publishExecutions.describe(executionName)
    if (standing.status !== 'over' || standing.hasSucceeded) return { outcome: 'running or done', executionName }
  }
  return { outcome: 'given up', executionName: nameOf(MAX_ATTEMPTS) }
}

/** Each end starts the attempt with the next number and no other, so an event that comes twice starts one. */
async function startOver({ detail }: BrokenOff, { publishExecutions }: Reach): Promise<Started> {
  const input = inputOf(detail)
  if (!input) return { outcome: 'not an archive', executionName: detail.name }
  if (isMeant(detail)) return { outcome: 'left as it is', executionName: detail.name }
  const { attempt, name: executionName } = attemptAfter(detail.name)
  if (attempt > MAX_UNASKED_ATTEMPTS) return { outcome: 'given up', executionName: detail.name }
  const answer = await publishExecutions.start(executionName, input)
  return { outcome: answer === 'started' ? 'started again' : 'running or done', executionName }
}

/** With the formats of a rebuild; undefined of an execution that somebody has started with something else. */
function inputOf({ input }: BrokenOff['detail']) {
  try {
    const { data } = publishInput.safeParse(JSON.parse(input))
    return data && parseArchiveKey(data.key) ? data : undefined
  } catch {
    return undefined
  }
}

/**
 * Nothing of Showrunner stops a publish: a deletion waits for its end. A stop that gives an error or a cause is a decision,
 * and stays one. One without either may be a slip of the console, and is how a laptop's executions end with their process: it
 * is made good.
 */
const isMeant = ({ status, error, cause }: BrokenOff['detail']): boolean =>
  (status === 'FAILED' && TOLD.includes(error)) || (status === 'ABORTED' && Boolean(error || cause))

export const handler = taskHandler('startPublish', startPublish)
