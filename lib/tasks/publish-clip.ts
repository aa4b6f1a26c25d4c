import { z } from 'zod'
import { clipRecord } from '../publish/manifest/clip.ts'
import type { Task } from './task.ts'

/** A clip of a recording, by which a publish execution cuts it and does nothing else. */
export const orderedClip = clipRecord.pick({ archiveId: true, clipId: true })

const made = z.object({
  /** Null when it could not be cut, or clip or recording were deleted. */
  file: clipRecord.shape.file.unwrap().nullable(),
  /** One sentence; absent when there is none. */
  problem: z.string().optional(),
})

export const clipTasks = {
  cutClip: {
    summary: 'Cut the MP4 of a clip out of published segments, and encode only the frames before its first keyframe.',
    input: orderedClip,
    output: made,
    timeout: 900,
    memory: 1769, // one whole processor
    capabilities: ['madeFiles', 'recordings', 'ffmpeg'],
  },
  publishClip: {
    summary: 'Record the MP4 of a clip, or why there is none, and notify the owner.',
    input: orderedClip.extend(made.shape),
    output: z.object({ clipId: z.string(), status: z.enum([...clipRecord.shape.status.options, 'deleted']) }),
    timeout: 60,
    capabilities: ['publishedManifests', 'showRequests', 'clips', 'events'],
  },
} as const satisfies Record<string, Task>
