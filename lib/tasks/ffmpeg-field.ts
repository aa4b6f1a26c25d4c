import { z } from 'zod'

/** Which version of ffmpeg a task has used. */
export const ffmpeg = z.string()
