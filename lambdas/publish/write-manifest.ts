import { publishManifest } from '../../lib/publish/publish-manifest.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('writeManifest', publishManifest)
