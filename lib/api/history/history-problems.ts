/** Problem types of the routes about the course of a show. */
export const historyProblems = {
  'unknown-delivery': {
    status: 404,
    meaning: 'The show has no event whose delivery has this id.',
    action: 'List deliveries with `GET /shows/{id}/deliveries`.',
  },
  'no-callback': {
    status: 409,
    title: 'No callback',
    meaning: 'The show names no callback, so its events are delivered on the event bus only.',
    action: 'Read the events with `GET /shows/{id}/events`.',
  },
} as const
