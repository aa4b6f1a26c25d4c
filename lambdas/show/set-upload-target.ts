import { aimUploads } from '../../lib/operations/upload-keys/upload-target.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('setUploadTarget', async (services, { showId }) => {
  await aimUploads(services)
  await services.shows.note(showId, { what: 'upload.targetSet' })
  return { bucket: services.variable('BUCKET'), fallback: 'opentok' }
})
