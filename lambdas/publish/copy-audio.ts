import { publishAudio } from '../../lib/publish/formats/audio.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('copyAudio', publishAudio)
