import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import type { Services } from '../../lib/services.ts'
import { keys } from '../../lib/show/state/keys.ts'
import { ServiceError, TaskInputError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function rescueArchive(
  { showId, name, part, archiveId }: TaskInput<'rescueArchive'>,
  { platform, storage, shows, download }: Services,
): Promise<TaskOutput<'rescueArchive'>> {
  const archive = await (await platform()).getArchive({ archiveId }) // a fresh URL: each works for ten minutes
  const { size, url, status, projectId, outputMode, sha256sum } = archive
  const key = keys.archive(projectId, archiveId, outputMode)
  if ((await storage.sizeOf(key)) !== size) {
    if (!url) throw new TaskInputError(`The archive ${archiveId} cannot be fetched: it is ${status}.`)
    const { whole, problem } = checked(await download(url), { archiveId, size, sha256: sha256sum ?? undefined })
    await storage.putStream(key, whole).catch((error: unknown) => {
      throw problem() ?? error
    })
  }
  const isIt = (one: { archiveId?: string | undefined }) => one.archiveId === archiveId
  await shows.update(
    showId,
    (state) => ({
      ...state,
      recordings: state.recordings.map((one) => (isIt(one) ? { ...one, rescued: true } : one)),
    }),
    { what: 'recording.rescued', name, part },
  )
  return { archiveId, size }
}

/** What a file has to be; `sha256` in base64, where the platform says it. */
interface Expected {
  readonly archiveId: string
  readonly size: number
  readonly sha256: string | undefined
}

/**
 * Passes a file on while it arrives. It fails before its end if it is not what it has to be, so that nothing of it is stored; at
 * the first byte beyond its size, since only that bounds what is stored in parts.
 */
function checked(file: Readable, { archiveId, size, sha256 }: Expected) {
  const hash = createHash('sha256')
  let bytes = 0
  let problem: Error | undefined
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      if (bytes > size)
        problem = new ServiceError(`The archive ${archiveId} has more than the ${size} bytes it states.`)
      done(problem, chunk)
    },
    flush(done) {
      if (bytes < size)
        problem = new ServiceError(`Of ${size} bytes of the archive ${archiveId} ${bytes} were fetched.`)
      else if (sha256 !== undefined && hash.digest('base64') !== sha256)
        problem = new ServiceError(
          `What was fetched of the archive ${archiveId} has not the checksum the platform reports.`,
        )
      done(problem)
    },
  })
  const whole = pipeline(file, check, (error) => {
    problem ??= error ? new ServiceError(`The archive ${archiveId} broke off after ${bytes} bytes.`) : undefined
  })
  return { whole: whole as Readable, problem: () => problem }
}

export const handler = taskHandler('rescueArchive', rescueArchive)
