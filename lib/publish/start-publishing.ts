import type { Services, TaskRun } from '../services.ts'
import { attemptAfter, publishExecutionName } from '../show/document/fields/names.ts'
import { parseArchiveKey } from '../show/state/keys.ts'
import { type PublishInput, publishInput } from '../tasks/publish-ready.ts'
import type { TaskInput, TaskOutput } from '../tasks/tasks.ts'
import { adoptRepeatedUpload } from './adopt-repeated-upload.ts'
import { recordClipOutcome } from './clips/publish-clip.ts'
import { failQueuedClips } from './clips/queued-clips.ts'

type Event = TaskInput<'startPublish'>
type Arrived = Exclude<Event, Interrupted>
type Interrupted = Extract<Event, { 'detail-type': 'Step Functions Execution Status Change' }>
type Started = TaskOutput<'startPublish'>
type Reach = Pick<Services, 'publishExecutions' | 'storage' | 'records' | 'events' | 'clock'>

/** Attempts for one upload; a rebuild starts further ones. */
const MAX_ATTEMPTS = 9

/** For executions that failed without a result: a third interruption would be followed by a fourth. */
const MAX_AUTOMATIC_ATTEMPTS = 3

/**
 * Errors of the machine after which nothing is retried: the manifest states the reason, or the recording is published and
 * only its join is missing. After any other error (`Unpublished`, or one of the service such as a full history) the owner was
 * not notified. After `PublishThrottled` the next attempt may find the account less busy.
 */
const REPORTED: readonly unknown[] = ['PublishFailed', 'NotJoined']

/**
 * Starts the publish execution of an uploaded archive. A repeated upload event starts another attempt after a failure, and so
 * does the end of an execution that was interrupted. After the same file was uploaded again, links lead to its new version.
 * Step Functions' redrive would not help: it resumes at the failed state, which is the one that reports the failure.
 */
export const startPublishing: TaskRun<'startPublish', keyof Reach> = async (services, event, log) => {
  const started = isInterrupted(event) ? await startAgain(event, services) : await startFirst(event, services)
  if (started.outcome === 'given up') log.error('given up', { executionName: started.executionName })
  return started
}

const isInterrupted = (event: Event): event is Interrupted =>
  event['detail-type'] === 'Step Functions Execution Status Change'

async function startFirst(
  { detail }: Arrived,
  services: Pick<Reach, 'publishExecutions' | 'records' | 'storage'>,
): Promise<Started> {
  const { publishExecutions } = services
  const { key, etag } = detail.object
  const archive = parseArchiveKey(key)
  if (!archive) return { outcome: 'not an archive', executionName: '' }
  const nameOf = (attempt: number) => publishExecutionName(archive.archiveId, etag, attempt)
  const input = { bucket: detail.bucket.name, key, etag }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const executionName = nameOf(attempt)
    if ((await publishExecutions.start(executionName, input)) === 'started')
      return { outcome: attempt === 1 ? 'started' : 'started again', executionName }
    const existing = await publishExecutions.describe(executionName)
    if (existing.status === 'over' && !existing.hasSucceeded) continue
    await adoptRepeatedUpload({ archiveId: archive.archiveId, key, etag }, services)
    return { outcome: 'running or done', executionName }
  }
  return { outcome: 'given up', executionName: nameOf(MAX_ATTEMPTS) }
}

/**
 * Each failed attempt starts only the one with the next number, so an event that arrives twice starts one. Behind the last attempt,
 * the clips that waited for it have failed.
 */
async function startAgain({ detail }: Interrupted, services: Reach): Promise<Started> {
  const { name: ended, status, error } = detail
  const input = inputOf(detail)
  if (!input) return { outcome: 'not an archive', executionName: ended }
  if (status === 'FAILED' && REPORTED.includes(error)) return { outcome: 'left as it is', executionName: ended }
  if (isStopped(detail)) {
    await failClipsOf(input, 'was stopped', services)
    return { outcome: 'left as it is', executionName: ended }
  }
  const { attempt, name: executionName } = attemptAfter(ended)
  if (attempt > MAX_AUTOMATIC_ATTEMPTS) {
    await failClipsOf(input, `failed ${MAX_AUTOMATIC_ATTEMPTS} times`, services)
    return { outcome: 'given up', executionName: ended }
  }
  const answer = await services.publishExecutions.start(executionName, input)
  return { outcome: answer === 'started' ? 'started again' : 'running or done', executionName }
}

/** Fails the clip of an execution, or those that waited for its recording. @param how the last execution ended */
async function failClipsOf({ key, clip }: PublishInput, how: string, services: Reach): Promise<void> {
  if (clip) {
    await recordClipOutcome(services, { ...clip, file: null, problem: `The publish of the clip ${how}.` })
    return
  }
  const archive = parseArchiveKey(key)
  if (archive) await failQueuedClips(archive.archiveId, `The publish of the recording ${how}.`, services)
}

/** Returns the execution's input, with the formats of a rebuild; undefined when an operator started it with another one. */
function inputOf({ input }: Interrupted['detail']) {
  try {
    const { data } = publishInput.safeParse(JSON.parse(input))
    return data && (data.clip || parseArchiveKey(data.key)) ? data : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns whether an operator stopped an execution, which is then not repeated. Showrunner stops no publish, since a deletion waits
 * for its end. A stop with an error or a cause is an operator's decision. A stop without either may be a slip in the AWS console,
 * and is how local executions end with their process, so it is repeated.
 */
const isStopped = ({ status, error, cause }: Interrupted['detail']): boolean =>
  status === 'ABORTED' && Boolean(error || cause)
