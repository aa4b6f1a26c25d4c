/** The problem types of clips, by name. */
export const clipProblems = {
  'unknown-clip': {
    status: 404,
    meaning: 'The recording, or the live show, has no clip with this id.',
    action: 'List its clips with `GET /recordings/{archiveId}/clips`, or those of a show with `GET /shows/{id}/clips`.',
  },
  'broadcast-not-readable': {
    status: 409,
    meaning:
      'The platform serves no playlist of the broadcast from which a clip can be cut: fragmented MP4 with times.',
    action: 'Create the clip of the recording once that is published, with `POST /recordings/{archiveId}/clips`.',
  },
} as const
