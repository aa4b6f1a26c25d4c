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
      'The platform serves no playlist of the broadcast from which a clip can be cut (fragmented MP4 with times), and no recording with HLS has begun for which it could be queued.',
    action: 'Add a recording to the show, and try again once it has begun.',
  },
} as const
