import { publishWaveform } from '../../lib/publish/formats/audio.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const measureAudio = (input: TaskInput<'measureAudio'>, services: Services) => publishWaveform(input, services)

export const handler = taskHandler('measureAudio', measureAudio)
