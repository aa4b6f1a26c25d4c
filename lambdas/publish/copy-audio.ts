import { publishAudio } from '../../lib/publish/formats/audio.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const copyAudio = (input: TaskInput<'copyAudio'>, services: Services) => publishAudio(input, services)

export const handler = taskHandler('copyAudio', copyAudio)
