import { publishClip } from '../../lib/publish/clips/publish-clip.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('publishClip', publishClip)
