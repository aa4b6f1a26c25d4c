import { z } from 'zod'
import type { Services } from '../lib/services/services.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

const uploadKey = z.object({ accessKeyId: z.string().min(1), secretAccessKey: z.string().min(1) })

export async function setUploadTarget(
  { showId }: TaskInput<'setUploadTarget'>,
  { platform, secrets, shows, variable }: Services,
): Promise<TaskOutput<'setUploadTarget'>> {
  const [key, client] = await Promise.all([
    secrets.read(variable('UPLOAD_SECRET'), uploadKey, { fresh: true }), // it may have been rotated
    platform(),
  ])
  const endpoint = variable('UPLOAD_ENDPOINT')
  const bucket = variable('BUCKET')
  const config = {
    accessKey: key.accessKeyId,
    secretKey: key.secretAccessKey,
    bucket,
    ...(endpoint !== 'aws' && { endpoint }),
  }
  await client.setUploadTarget({ type: 's3', config, fallback: 'opentok' })
  await shows.note(showId, { what: 'upload.targetSet' })
  return { bucket, fallback: 'opentok' }
}

export const handler = taskHandler('setUploadTarget', setUploadTarget)
