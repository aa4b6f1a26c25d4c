import { z } from 'zod'
import about from '../../package.json' with { type: 'json' }

/** Which version of ffmpeg a task has used. */
export const ffmpeg = z.string()

/** Versions of what recordings are published with, beside ffmpeg. */
export const ownTools = { showrunner: about.version, mediabunny: about.dependencies.mediabunny } as const
