import { publishPlaylists } from '../../lib/publish/formats/playlists.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('writePlaylists', publishPlaylists)
