import { cutPublishedClip } from '../../lib/publish/clips/cut-published-clip.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('cutClip', cutPublishedClip)
