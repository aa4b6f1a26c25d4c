import { publishPlaylists } from '../../lib/publish/formats/playlists.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const writePlaylists = (input: TaskInput<'writePlaylists'>, services: Services) =>
  publishPlaylists(input, services)

export const handler = taskHandler('writePlaylists', writePlaylists)
