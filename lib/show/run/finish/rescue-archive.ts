import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import type { TaskRun } from '../../../services.ts'
import { ServiceError, TaskInputError } from '../../../tasks/errors.ts'
import { keys } from '../../state/keys.ts'

/**
 * Copies an archive whose upload failed from the platform's cloud to its key in the bucket, unless it is there already.
 * @throws {@link TaskInputError} when the platform offers no download of it
 * @throws {@link ServiceError} when the download is incomplete or has another checksum
 */
export const fetchStrandedArchive: TaskRun<'rescueArchive', 'platform' | 'storage' | 'shows' | 'download'> = async (
  { platform, storage, shows, download },
  { showId, name, part, archiveId },
) => {
  const archive = await (await platform()).getArchive({ archiveId }) // the URL expires after ten minutes
  const { size, url, status, projectId, outputMode, sha256sum } = archive
  const key = keys.archive(projectId, archiveId, outputMode)
  if ((await storage.sizeOf(key)) !== size) {
    if (!url) throw new TaskInputError(`The archive ${archiveId} cannot be fetched: its status is ${status}.`)
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
      recordings: state.recordings.map((one) => (isIt(one) ? { ...one, key, rescued: true } : one)),
    }),
    { what: 'recording.rescued', name, part },
  )
  return { archiveId, size }
}

/** Properties that the platform reports of an archive's file. */
interface Expected {
  readonly archiveId: string
  /** Bytes. */
  readonly size: number
  /** Base64. */
  readonly sha256: string | undefined
}

/**
 * Passes a file through while it arrives. A file that differs from the expectation fails before its end, so that the upload is
 * discarded. A file that is too long fails at the first extra byte, which bounds the size of a multipart upload.
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
        problem = new ServiceError(
          `The archive ${archiveId} is longer than the ${size} bytes that the platform reports.`,
        )
      done(problem, chunk)
    },
    flush(done) {
      if (bytes < size) problem = new ServiceError(`The archive ${archiveId} ended after ${bytes} of ${size} bytes.`)
      else if (sha256 !== undefined && hash.digest('base64') !== sha256)
        problem = new ServiceError(`The archive ${archiveId} does not have the checksum that the platform reports.`)
      done(problem)
    },
  })
  const whole = pipeline(file, check, (error) => {
    problem ??= error
      ? new ServiceError(`The download of the archive ${archiveId} was interrupted after ${bytes} bytes.`)
      : undefined
  })
  return { whole: whole as Readable, problem: () => problem }
}
