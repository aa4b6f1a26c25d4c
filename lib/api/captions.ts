import { MAX_CAPTIONS_BYTES } from '../publish/manifest/manifest.ts'
import { answers } from './answers.ts'

const ofRecording = ['unknown-recording', 'invalid-manifest'] as const

/** The routes of captions. */
export const captionRoutes = {
  'PUT /recordings/{archiveId}/captions/{language}': {
    operation: 'putCaptions',
    summary: 'Supply or replace a recording’s captions in one language.',
    role: 'operator',
    text: {
      mediaType: 'text/vtt',
      description: `WebVTT for the whole recording, of at most ${MAX_CAPTIONS_BYTES} bytes.`,
    },
    answers: { 200: answers.captioned },
    problems: [...ofRecording, 'invalid-captions', 'recording-not-playable', 'limit-reached'],
  },
  'DELETE /recordings/{archiveId}/captions/{language}': {
    operation: 'deleteCaptions',
    summary: 'Delete a recording’s captions in one language.',
    role: 'operator',
    answers: { 200: answers.captioned },
    problems: [...ofRecording, 'invalid-captions', 'unknown-captions'],
  },
} as const
