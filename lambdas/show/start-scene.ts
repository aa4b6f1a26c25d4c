import type { Services } from '../../lib/services.ts'
import { startOrAdoptScene } from '../../lib/show/run/start/start-scene.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const startScene = (input: TaskInput<'startScene'>, services: Services) => startOrAdoptScene(services, input)

export const handler = taskHandler('startScene', startScene)
