import { startOrAdoptScene } from '../../lib/show/run/start/start-scene.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('startScene', startOrAdoptScene)
